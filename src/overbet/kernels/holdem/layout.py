"""One hand of no-limit hold'em as a vector of `SIZE` int64: what stands where.

Every kernel of the rules reads and writes this vector and nothing else, so a copy of it is a copy of the
hand. Players are counted from the first seat left of the button: player 0 acts first after the flop and
the last player is the button. With three or more players 0 is the small blind and 1 the big blind; heads
up 0 is the big blind and 1, the button, posts the small blind. This is the order of PHH files.

Sets of players are bit masks (bit i = player i). A card not yet dealt is `NO_CARD`.
"""

from __future__ import annotations

MAX_PLAYERS = 10

# what `state[ACTOR]` holds when no player is to act; CHANCE and TERMINAL as in overbet.games.protocol
CHANCE = -1
TERMINAL = -4
SHOWDOWN = -5  # betting and dealing are done and hands have to be compared: call `settle`

# actions of a player: a number above 0 is a bet or raise *to* that many chips on this street
FOLD = -1
CALL = 0

NO_CARD = -1
HIDDEN_CARD = 52  # dealt face down and never seen (records of real hands); loses to every known hand

PREFLOP, FLOP, TURN, RIVER = 0, 1, 2, 3

# the hand as it stands
PLAYERS = 0  # 2..10
STREET = 1  # PREFLOP..RIVER
ACTOR = 2  # player to act, CHANCE, SHOWDOWN or TERMINAL
DEALT = 3  # cards dealt: hole cards first, two for player 0, two for player 1, ..., then the board
ACTIVE = 4  # players who have not folded
QUEUE = 5  # players who still have to act on this street
ACTED = 6  # players who have acted on this street
TO_MATCH = 7  # chips on this street that a call has to reach
LAST_RAISE = 8  # size of a full raise: the largest bet or raise of this street, at least the minimum bet
POT = 9  # chips put in by everybody, uncalled bets excluded once they are returned
RAKED = 10  # chips taken by the house; set when the hand is over
MUCKED = 11  # players who gave their hand up at the showdown unseen (records of real hands)

# what the player to act may do, refreshed by every transition; all 0 when no player is to act
TO_CALL = 12  # chips a call adds; 0 is a check, and then folding is not offered
RAISE_MIN = 13  # smallest bet or raise to; 0 when there is none
RAISE_MAX = 14  # largest bet or raise to: all in

# the rules of the table, constant through the hand
MIN_BET = 15
RAKE_PPM = 16  # rake share in millionths
RAKE_CAP = 17  # most chips a hand pays, -1 for no cap
HOUSE = 18  # sum of the HOUSE_* bits

HOUSE_DEAD_ANTES = 1  # antes belong to the main pot whole (big-blind ante) and are not matched side by side
HOUSE_NO_FLOP_NO_DROP = 2  # a hand that ends before the flop pays no rake
HOUSE_FULL_BLIND = 4  # a short all-in blind still costs a full blind to call

# one row a player
STACK = 20  # chips behind
BET = STACK + MAX_PLAYERS  # chips on this street
PUT_IN = BET + MAX_PLAYERS  # chips in the whole hand, ante included
DEAD = PUT_IN + MAX_PLAYERS  # the part of PUT_IN that is a dead ante
HOLE = DEAD + MAX_PLAYERS  # two cards a player
BOARD = HOLE + 2 * MAX_PLAYERS  # five cards
COMING = BOARD + 5  # board cards fixed in advance: dealt by themselves when their street comes
SIZE = COMING + 5
