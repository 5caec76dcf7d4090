"""The nouns: frozen structs that are also the documents' shapes."""
