"""Small games and push-or-fold, solved over whole trees."""
