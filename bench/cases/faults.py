"""The planted faults: each leaf of each answer with the faults its type allows."""

from bench.cases import answers, happenings, offers
from bench.cases.wishes import Book


def write(book: Book) -> None:
    """All of them."""
    for part in (answers, happenings, offers):
        part.write(book)
