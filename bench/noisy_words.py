"""The noisy agent's own words: written before its bench, and none of them known to the scorers."""

# What may stand before or after a wish without changing it.
OPENINGS = ("kindly", "umm,", "hey,", "ahoy,", "frankly,")
CLOSINGS = ("cheers", "gladly", "whatsoever", "thereabouts", "righto")
# Another word for a word; the left ones are what the bench's scenarios say.
REWORDED = {
    "milk": "dairy",
    "bread": "loaf",
    "goat": "billy",
    "kettle": "teapot",
    "pillow": "cushion",
    "blanket": "quilt",
    "bucket": "pail",
    "hedge": "shrub",
    "fence": "railing",
    "honey": "nectar",
    "pepper": "thyme",
    "ox": "buffalo",
}
