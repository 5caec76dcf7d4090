"""How a system under test is started, reached, reset and identified."""
