"""Short programs in other languages, as far as they must be understood: is this one harmless?"""
