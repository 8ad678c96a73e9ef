"""Hands nobody played, in the forms of the sites; every amount adds up."""

# ruff: noqa: E501  # the lines of sites are as long as they are

from __future__ import annotations

RAISE = """\
PokerStars Hand #100000000001:  Hold'em No Limit ($0.50/$1.00 USD) - 2024/02/03 20:15:00 CET [2024/02/03 14:15:00 ET]
Table 'Alpha' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($1,250.50 in chips)
Seat 4: Cy: the 2nd ($80 in chips)
Seat 5: Dee ($60 in chips) is sitting out
Bob: posts small blind $0.50
Cy: the 2nd: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [Ah Kh]
Bob said, "Ann: folds"
Ann: raises $2 to $3
Bob: folds
Cy: the 2nd: calls $2
*** FLOP *** [2c 7d Jh]
Cy: the 2nd: checks
Ann: bets $4
Cy: the 2nd: folds [Js]
Uncalled bet ($4) returned to Ann
Ann collected $6.20 from pot
Ann: doesn't show hand
*** SUMMARY ***
Total pot $6.50 | Rake $0.30
Board [2c 7d Jh]
Seat 1: Ann (button) collected ($6.20)
Seat 2: Bob (small blind) folded before Flop
Seat 4: Cy: the 2nd (big blind) folded on the Flop
"""

# two posts out of turn, one with a dead small blind; the first of them acts before the big blind
DEAD_BLINDS = """\
PokerStars Game #100000000002:  Hold'em No Limit ($0.50/$1.00 USD) - 2010/05/06 17:46:48 ET
Table 'Beta' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($100 in chips)
Seat 3: Cy ($100 in chips)
Seat 4: Dee ($100 in chips)
Seat 5: Eve ($100 in chips)
Bob: posts small blind $0.50
Cy: posts big blind $1
Eve: posts small & big blinds $1.50
Ann: posts big blind $1
*** HOLE CARDS ***
Dee: folds
Eve: checks
Ann: checks
Bob: calls $0.50
Cy: checks
*** FLOP *** [2c 7d Jh]
Bob: bets $2
Cy: folds
Eve: calls $2
Ann: folds
*** TURN *** [2c 7d Jh] [3s]
Bob: checks
Eve: checks
*** RIVER *** [2c 7d Jh 3s] [4s]
Bob: checks
Eve: checks
*** SHOW DOWN ***
Bob: shows [Jc Td] (a pair of Jacks)
Eve: mucks hand
Bob collected $8.10 from pot
*** SUMMARY ***
Total pot $8.50 | Rake $0.40
Board [2c 7d Jh 3s 4s]
Seat 1: Ann (button) folded on the Flop
Seat 2: Bob (small blind) showed [Jc Td] and won ($8.10) with a pair of Jacks
Seat 3: Cy (big blind) folded on the Flop
Seat 4: Dee folded before Flop (didn't bet)
Seat 5: Eve mucked [9c 8c]
"""

# nobody sits between the button and the big blind; the big blind has a free fold and takes it
NO_SMALL_BLIND = """\
PokerStars Hand #100000000003:  Hold'em No Limit (€1/€2 EUR) - 2019/01/03 11:48:00 UTC
Table 'Gamma' 6-max Seat #2 is the button
Seat 1: Ann (€200 in chips)
Seat 4: Bob (€200 in chips)
Seat 5: Cy (€200 in chips)
Bob: posts big blind €2
*** HOLE CARDS ***
Cy: calls €2
Ann: calls €2
Bob: folds
*** FLOP *** [2c 7d Jh]
Cy: checks
Ann: bets €2
Cy: folds
Uncalled bet (€2) returned to Ann
Ann collected €6 from pot
*** SUMMARY ***
Total pot €6 | Rake €0
Board [2c 7d Jh]
Seat 1: Ann (button) collected (€6)
Seat 4: Bob (big blind) folded before Flop
Seat 5: Cy folded on the Flop
"""

STRADDLE = """\
Poker Hand #RC1000000004: Hold'em No Limit ($1/$2) - 2024/06/19 09:12:31
Table 'RushAndCash1' 6-max Seat #1 is the button
Seat 1: Hero ($200 in chips)
Seat 2: a1 ($200 in chips)
Seat 3: b2 ($200 in chips)
Seat 4: c3 ($200 in chips)
a1: posts small blind $1
b2: posts big blind $2
c3: straddle $4
*** HOLE CARDS ***
Dealt to Hero [As Ad]
Dealt to a1
Dealt to b2
Dealt to c3
Hero: raises $6 to $10
a1: folds
b2: folds
c3: calls $6
*** FLOP *** [2c 7d Jh]
c3: checks
Hero: bets $8
c3: folds
Uncalled bet ($8) returned to Hero
*** SHOWDOWN ***
Hero collected $21.5 from pot
*** SUMMARY ***
Total pot $23 | Rake $1 | Jackpot $0.5 | Bingo $0
Board [2c 7d Jh]
Seat 1: Hero (button) won ($21.5)
Seat 2: a1 (small blind) folded before Flop
Seat 3: b2 (big blind) folded before Flop
Seat 4: c3 folded on the Flop
"""

RUN_THRICE = """\
Poker Hand #HD1000000005: Hold'em No Limit ($0.5/$1) - 2024/06/19 09:12:31
Table 'NLHGold1' 6-max Seat #1 is the button
Seat 1: Hero ($90 in chips)
Seat 2: a1 ($90 in chips)
Hero: posts small blind $0.5
a1: posts big blind $1
*** HOLE CARDS ***
Dealt to Hero [As Ad]
Dealt to a1
Hero: raises $89 to $90 and is all-in
a1: calls $89 and is all-in
Hero: shows [As Ad]
a1: shows [Ks Kd]
*** FIRST FLOP *** [2c 7d Jh]
*** FIRST TURN *** [2c 7d Jh] [3s]
*** FIRST RIVER *** [2c 7d Jh 3s] [4s]
*** SECOND FLOP *** [Kc 8d Qh]
*** SECOND TURN *** [Kc 8d Qh] [3c]
*** SECOND RIVER *** [Kc 8d Qh 3c] [4c]
*** THIRD FLOP *** [2h 9d 9h]
*** THIRD TURN *** [2h 9d 9h] [5s]
*** THIRD RIVER *** [2h 9d 9h 5s] [6s]
*** FIRST SHOWDOWN ***
Hero collected $59 from pot
*** SECOND SHOWDOWN ***
a1 collected $59 from pot
*** THIRD SHOWDOWN ***
Hero collected $59 from pot
*** SUMMARY ***
Total pot $180 | Rake $3 | Jackpot $0
Hand was run three times
FIRST Board [2c 7d Jh 3s 4s]
SECOND Board [Kc 8d Qh 3c 4c]
THIRD Board [2h 9d 9h 5s 6s]
Seat 1: Hero (button) showed [As Ad] and won ($59) with a pair, and lost with a pair, and won ($59) with two pair
Seat 2: a1 (big blind) showed [Ks Kd] and lost with a pair, and won ($59) with three of a kind, and lost with two pair
"""

CASH_OUT = """\
PokerStars Hand #100000000006:  Hold'em No Limit ($0.50/$1.00 USD) - 2024/02/03 14:15:00 ET
Table 'Delta' 6-max Seat #1 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($50 in chips)
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [Ah Ac]
Ann: raises $49 to $50 and is all-in
Bob: calls $49 and is all-in
*** FLOP *** [2c 7d Jh]
*** TURN *** [2c 7d Jh] [3s]
*** RIVER *** [2c 7d Jh 3s] [4s]
*** SHOW DOWN ***
Bob: shows [Kd Kc] (a pair of Kings)
Ann: shows [Ah Ac] (a pair of Aces)
Ann cashed out the hand for $80 | Cash Out Fee $0.80
*** SUMMARY ***
Total pot $100 | Rake $2
Board [2c 7d Jh 3s 4s]
Seat 1: Ann (button) (small blind) showed [Ah Ac] and won ($98) with a pair of Aces (pot not awarded as player cashed out)
Seat 2: Bob (big blind) showed [Kd Kc] and lost with a pair of Kings
"""

INSURED = """\
Poker Hand #HD1000000007: Hold'em No Limit ($0.5/$1) - 2024/06/19 09:12:31
Table 'NLHGold1' 6-max Seat #1 is the button
Seat 1: Hero ($50 in chips)
Seat 2: a1 ($50 in chips)
Hero: posts small blind $0.5
a1: posts big blind $1
*** HOLE CARDS ***
Dealt to Hero [As Ad]
Dealt to a1
Hero: raises $49 to $50 and is all-in
a1: calls $49 and is all-in
Hero: shows [As Ad]
a1: shows [Ks Kd]
*** FLOP *** [2c 7d Jh]
Hero: Pays All-In Insurance premium ($4.5)
*** TURN *** [2c 7d Jh] [3s]
*** RIVER *** [2c 7d Jh 3s] [4s]
*** SHOWDOWN ***
Hero collected $98 from pot
*** SUMMARY ***
Total pot $100 | Rake $2
Board [2c 7d Jh 3s 4s]
Seat 1: Hero (button) showed [As Ad] and won ($98) with a pair of Aces
Seat 2: a1 (big blind) showed [Ks Kd] and lost with a pair of Kings
"""

# antes for all; Cy is all in for less than the big blind, Dee for the ante alone; two side pots
SIDE_POTS = """\
PokerStars Hand #100000000008: Tournament #555, $10+$1 USD Hold'em No Limit - Level V (50/100) - 2020/01/02 10:00:00 ET
Table '555 1' 9-max Seat #1 is the button
Seat 1: Ann (1000 in chips)
Seat 2: Bob (2000 in chips)
Seat 3: Cy (60 in chips)
Seat 4: Dee (10 in chips)
Ann: posts the ante 10
Bob: posts the ante 10
Cy: posts the ante 10
Dee: posts the ante 10 and is all-in
Bob: posts small blind 50
Cy: posts big blind 50 and is all-in
*** HOLE CARDS ***
Dealt to Ann [Ah Ac]
Ann: raises 890 to 990 and is all-in
Bob: calls 940
*** FLOP *** [2c 7d Jh]
*** TURN *** [2c 7d Jh] [3s]
*** RIVER *** [2c 7d Jh 3s] [4s]
*** SHOW DOWN ***
Bob: shows [Kd Kc] (a pair of Kings)
Ann: shows [Ah Ac] (a pair of Aces)
Ann collected 1880 from side pot-2
Cy: shows [Jd Js] (three of a kind, Jacks)
Cy collected 150 from side pot-1
Dee: shows [5h 6h] (a straight, Three to Seven)
Dee collected 40 from main pot
*** SUMMARY ***
Total pot 2070 Main pot 40. Side pot-1 150. Side pot-2 1880. | Rake 0
Board [2c 7d Jh 3s 4s]
Seat 1: Ann (button) showed [Ah Ac] and won (1880) with a pair of Aces
Seat 2: Bob (small blind) showed [Kd Kc] and lost with a pair of Kings
Seat 3: Cy (big blind) showed [Jd Js] and won (150) with three of a kind, Jacks
Seat 4: Dee showed [5h 6h] and won (40) with a straight, Three to Seven
"""

# the big blind is away and all in for less than a blind: the site folds for him
GAVE_UP = """\
PokerStars Hand #100000000009: Tournament #555, $10+$1 USD Hold'em No Limit - Level V (50/100) - 2020/01/02 10:00:00 ET
Table '555 1' 9-max Seat #1 is the button
Seat 1: Ann (1000 in chips)
Seat 2: Bob (2000 in chips)
Seat 3: Cy (60 in chips) is sitting out
Bob: posts small blind 50
Cy: posts big blind 60 and is all-in
*** HOLE CARDS ***
Dealt to Ann [Ah Ac]
Ann: raises 100 to 200
Bob: folds
Cy: folds
Uncalled bet (140) returned to Ann
Ann collected 170 from pot
*** SUMMARY ***
Total pot 170 | Rake 0
Seat 1: Ann (button) collected (170)
Seat 2: Bob (small blind) folded before Flop
Seat 3: Cy (big blind) folded before Flop
"""

# one ante for the table, from the big blind
BIG_BLIND_ANTE = """\
Poker Hand #TM1000000010: Tournament #777, Daily Hold'em No Limit - Level3 (1,000/2,000) - 2024/06/19 09:12:31
Table '3' 8-max Seat #1 is the button
Seat 1: Hero (50,000 in chips)
Seat 2: a1 (40,000 in chips)
Seat 3: b2 (30,000 in chips)
b2: posts the ante 2,000
a1: posts small blind 1,000
b2: posts big blind 2,000
*** HOLE CARDS ***
Dealt to Hero [As Ad]
Dealt to a1
Dealt to b2
Hero: folds
a1: folds
Uncalled bet (1,000) returned to b2
*** SHOWDOWN ***
b2 collected 4,000 from pot
*** SUMMARY ***
Total pot 4,000 | Rake 0
Seat 1: Hero (button) folded before Flop (didn't bet)
Seat 2: a1 (small blind) folded before Flop
Seat 3: b2 (big blind) won (4,000)
"""

BUTTON_ANTE = BIG_BLIND_ANTE.replace("b2: posts the ante", "Hero: posts the ante").replace("0010", "0011")

EXPRESSO = """\
Winamax Poker - Tournament "Expresso" buyIn: 4,65€ + 0,35€ level: 1 - HandId: #1234567-1-1700000000 - Holdem no limit (10/20) - 2023/11/14 22:13:20 UTC
Table: 'Expresso(987654321)#0' 3-max (real money) Seat #2 is the button
Seat 1: Zoé (500)
Seat 2: José Ñ (1 480)
Seat 3: Hero (520)
*** ANTE/BLINDS ***
Hero posts small blind 10
Zoé posts big blind 20
Dealt to Hero [Ah Kh]
*** PRE-FLOP ***
José Ñ folds
Hero raises 480 to 500 and is all-in
Zoé calls 480 and is all-in
*** FLOP *** [2c 7d Jh]
*** TURN *** [2c 7d Jh][3s]
*** RIVER *** [2c 7d Jh 3s][4s]
*** SHOW DOWN ***
Hero shows [Ah Kh] (High card : Ace)
Zoé shows [Qd Qc] (One pair : Queens)
Zoé collected 1 000 from pot
*** SUMMARY ***
Total pot 1 000 | No rake
Board: [2c 7d Jh 3s 4s]
Seat 1: Zoé (big blind) showed [Qd Qc] and won 1 000 with One pair : Queens
Seat 3: Hero (small blind) showed [Ah Kh] and lost with High card : Ace
"""

# no line says that the uncalled part went back: it is in what the winner collects
WINAMAX_CASH = """\
Winamax Poker - CashGame - HandId: #7654321-5-1700000001 - Holdem no limit (0,50€/1€) - 2023/11/14 22:13:21 UTC
Table: 'Nice' 5-max (real money) Seat #1 is the button
Seat 1: Ann (1 050,50€)
Seat 2: Bob (100€)
Seat 3: Cy (60€)
*** ANTE/BLINDS ***
Bob posts small blind 0,50€
Cy posts big blind 1€
Dealt to Ann [Ah Kh]
*** PRE-FLOP ***
Ann raises 2€ to 3€
Bob folds
Cy calls 2€
*** FLOP *** [2c 7d Jh]
Cy checks
Ann bets 4€
Cy folds
Ann collected 10,20€ from pot
*** SUMMARY ***
Total pot 10,20€ | Rake 0,30€
Board: [2c 7d Jh]
Seat 1: Ann (button) won 10,20€
Seat 2: Bob (small blind) folded on the pre-flop
Seat 3: Cy (big blind) folded on the flop
"""

WALK = """\
PokerStars Zoom Hand #100000000012:  Hold'em No Limit ($0.50/$1.00) - 2024/02/03 14:15:00 ET
Table 'Halley' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($100 in chips)
Seat 3: Cy ($100 in chips)
Bob: posts small blind $0.50
Cy: posts big blind $1
*** HOLE CARDS ***
Dealt to Cy [Ah 2h]
Ann: folds
Bob: folds
Uncalled bet ($0.50) returned to Cy
Cy collected $1 from pot
*** SUMMARY ***
Total pot $1 | Rake $0
Seat 1: Ann (button) folded before Flop (didn't bet)
Seat 2: Bob (small blind) folded before Flop
Seat 3: Cy (big blind) collected ($1)
"""

OMAHA = (
    RAISE.replace("Hold'em No Limit", "Omaha Pot Limit")
    .replace("0001:", "0013:")
    .replace("[Ah Kh]", "[Ah Kh Qd Qc]")
)
LIMIT = RAISE.replace("Hold'em No Limit", "Hold'em Limit").replace("0001:", "0014:")
SUMMARY_FILE = """\
PokerStars Tournament #555, No Limit Hold'em
Buy-In: $10.00/$1.00 USD
9 players
  1: Ann (London), $45.00 (50%)
You finished in 2nd place
"""


def ten_handed() -> str:
    """Return a hand of ten players with antes, two of whom go on."""
    names = [f"P{seat}" for seat in range(1, 11)]
    seats = "".join(f"Seat {seat}: {name} (1500)\n" for seat, name in enumerate(names, 1))
    antes = "".join(f"{name} posts ante 10\n" for name in names)
    folds = "".join(f"{name} folds\n" for name in names[3:])
    return (
        'Winamax Poker - Tournament "Ten" buyIn: 1€ + 0€ level: 3 - HandId: #31-1-1 - '
        "Holdem no limit (10/50/100) - 2012/07/29 15:58:48 UTC\n"
        f"Table: 'Ten(5)#0' 10-max (real money) Seat #1 is the button\n{seats}*** ANTE/BLINDS ***\n{antes}"
        "P2 posts small blind 50\nP3 posts big blind 100\nDealt to P4 [2d 8c]\n*** PRE-FLOP ***\n"
        f"{folds}P1 raises 100 to 200\nP2 folds\nP3 folds\nP1 collected 450 from pot\n*** SUMMARY ***\n"
        "Total pot 450 | No rake\nSeat 1: P1 (button) won 450\n"
    )


GOOD = {
    "raise": RAISE,
    "dead blinds": DEAD_BLINDS,
    "no small blind": NO_SMALL_BLIND,
    "straddle": STRADDLE,
    "run three times": RUN_THRICE,
    "cash-out": CASH_OUT,
    "insured": INSURED,
    "side pots": SIDE_POTS,
    "gave up": GAVE_UP,
    "big blind ante": BIG_BLIND_ANTE,
    "button ante": BUTTON_ANTE,
    "expresso": EXPRESSO,
    "winamax cash": WINAMAX_CASH,
    "walk": WALK,
    "ten handed": ten_handed(),
}
OTHER = {"omaha": OMAHA, "limit": LIMIT}
