import unittest

from slug import slug


class SlugTest(unittest.TestCase):
    def test_words_are_joined_by_dashes(self):
        self.assertEqual(slug("Two  words"), "two-words")

    def test_accents_are_dropped(self):
        self.assertEqual(slug("Crème brûlée!"), "creme-brulee")

    def test_a_title_without_letters_is_empty(self):
        self.assertEqual(slug("!?"), "")
