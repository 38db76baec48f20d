"""Check a match without Ninefold: `python examples/verify_match.py match.json [kept.json]`.

It uses Python's standard library alone and shares no code with the product; docs/fairness.md explains each
step. It knows of every game only what its dice and decks hold, not its rules: whether moves are legal, and
whether a hidden card had to be shown, is for `ninefold verify`.
"""

# ruff: noqa: ARG002 (games take what they need)

import base64
import hashlib
import hmac
import json
import sys
from collections import Counter
from pathlib import Path

RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
CARDS = [rank + suit for rank in RANKS for suit in "SHDC"]
NINES = [rank + suit for rank in RANKS[:9] for suit in "RPXWLSHDC"]
DICE = [(f"roll {a} {b}", 1 if a == b else 2) for a in range(1, 7) for b in range(a, 7)]
ROLLS = [text for text, _ in DICE]
DEALS = [f"deal {card}" for card in CARDS]


class Forged(Exception):  # noqa: N818 (what it is)
    """The draws are not those that were promised."""


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def hashed(value):
    return sha(json.dumps(value, sort_keys=True, separators=(",", ":")).encode())


def before(token):
    """The token before this one in its chain."""
    return base64.urlsafe_b64encode(sha(token.encode())).decode().rstrip("=")


def order(seed, size):
    return sorted(range(size), key=lambda number: sha(seed, bytes([number])))


def root(deck, first=0, size=64):
    """The root of a deck of which some places are opened; takes the other hashes from its list."""
    opened = [place for place in deck["open"] if first <= int(place) < first + size]
    if not opened:
        return bytes.fromhex(deck["closed"].pop(0))
    if size == 1:
        return sha(b"leaf", bytes.fromhex(deck["open"][opened[0]]))
    left = root(deck, first, size // 2)
    return sha(b"node", left, root(deck, first + size // 2, size // 2))


# What can be drawn, game by game, in the order of `texts`; and what the next draw is for


class Doubles:
    texts = (*ROLLS, "end", "go on")

    def __init__(self, players, options):
        self.left = [int(part) for part in str(options["rounds"]).replace("–", "-").split("-")]
        self.left = self.left[-1] - self.left[0]
        self.players, self.round, self.inside, self.sevens = players, 1, set(range(players)), 0

    def outcomes(self, text):
        return DICE if text.startswith("roll") else [("end", 1), ("go on", self.left)]

    def occasion(self, text):
        if text.startswith("roll") and (not self.inside or self.sevens == 4):
            self.next_round()
        return [self.round, int(not text.startswith("roll"))]

    def next_round(self):
        self.round, self.inside, self.sevens = self.round + 1, set(range(self.players)), 0

    def drew(self, text):
        if text == "go on":
            self.left -= 1
            self.next_round()
        elif text.startswith("roll"):
            one, other = map(int, text.split()[1:])
            self.sevens += one + other == 7

    def moved(self, seat, text):
        if text == "cash out":
            self.inside.discard(seat)


class Finest9(Doubles):
    texts = (*ROLLS, *DEALS)

    def __init__(self, players, options):
        self.cards = dict.fromkeys(CARDS, 1)
        self.undealt, self.turns, self.fresh = 9 * players, 0, False

    def outcomes(self, text):
        return DICE if text.startswith("roll") else [(f"deal {one}", n) for one, n in self.cards.items() if n]

    def occasion(self, text):
        if text.startswith("roll") and not self.undealt and not self.fresh:
            self.turns, self.fresh = self.turns + 1, True  # nobody could do anything after the last roll
        return [self.turns]

    def next_turn(self):
        self.turns, self.fresh = self.turns + 1, True

    def drew(self, text):
        if text.startswith("deal"):
            self.cards[text[5:]] -= 1
            self.undealt = max(0, self.undealt - 1)
            if not self.undealt:
                self.next_turn()
        elif not self.undealt:
            self.fresh = sum(map(int, text.split()[1:])) == 9  # roll again

    def moved(self, seat, text):
        self.next_turn()


class Multiple9(Finest9):
    texts = tuple(f"deal {rank}" for rank in RANKS)

    def __init__(self, players, options):
        self.cards, self.laid = dict.fromkeys(RANKS, 4), Counter()
        self.undealt, self.turns = 5 * players, 0

    def outcomes(self, text):
        if not any(self.cards.values()):  # the discards are turned over
            self.cards, self.laid = {rank: self.laid[rank] for rank in RANKS}, Counter()
        return super().outcomes(text)

    def occasion(self, text):
        self.turns = self.turns or int(not self.undealt)
        return [self.turns]

    def drew(self, text):
        self.cards[text[5:]] -= 1
        self.undealt = max(0, self.undealt - 1)

    def moved(self, seat, text):
        if text.startswith("lay"):
            self.laid.update(text.split()[1:])
        self.turns += text == "done"


class NineOfAKind(Finest9):
    texts = tuple(f"deal {card}" for card in NINES)

    def __init__(self, players, options):
        self.players, self.round = players, 0
        self.deal()

    def occasion(self, text):
        self.outcomes(text)
        return [self.round] if self.dealt < 9 * self.players else []

    def deal(self):
        self.round += 1
        self.cards, self.hands, self.offers = dict.fromkeys(NINES, 1), {}, {}
        self.dealt, self.laid, self.seat = 0, [], None

    def drew(self, text):
        card = text[5:]
        self.cards[card] -= 1
        if self.dealt < 9 * self.players:
            self.hands.setdefault(self.dealt % self.players, set()).add(card)
            self.dealt += 1
            return
        self.hands[self.seat].add(card)
        self.due -= 1
        if not self.due:
            self.put_in(self.laid)

    def outcomes(self, text):
        if self.dealt == 9 * self.players and not self.laid:
            self.deal()  # nobody takes cards from the centre: a new round
        return super().outcomes(text)

    def put_in(self, cards):
        for card in cards:
            self.cards[card] += 1
        self.laid = []

    def moved(self, seat, text):
        verb, *words = text.split()
        if verb == "offer":
            self.offers[seat] = set(words)
        elif verb == "answer":
            other, given = int(words[0]), set(words[1:])
            got = self.offers.pop(other)
            self.hands[seat] = self.hands[seat] - given | got
            self.hands[other] = self.hands[other] - got | given
            self.offers.pop(seat, None)
        elif verb == "centre":
            self.seat, self.laid, self.due = seat, words, len(words)
            self.hands[seat] -= set(words)
        elif verb == "claim":  # a false one costs the hand, a true one ends the round
            self.put_in(self.hands[seat])
            self.hands[seat] = set()


class Baseball:
    texts = tuple(f"deal {card}" for card in [*CARDS, "JK"])

    def __init__(self, players, options):
        self.players, self.options, self.first, self.inning = players, options, -1, 0
        self.begin()

    def occasion(self, text):
        if self.over or self.opening:
            return [self.inning + self.over]
        if self.spot and self.spot[0] == "rise":
            return [self.inning, self.turns, int(self.closing), self.spot[1]]
        return [self.inning, self.turns, 0, self.mover]

    def begin(self):
        self.inning, self.closing = self.inning + 1, False
        decks = self.options["decks"]
        self.unseen = Counter(dict.fromkeys(CARDS, decks) | {"JK": 2 * decks})
        self.pile, self.stock, self.top = Counter(), None, None
        self.shoe = 54 * decks - 9 * self.players
        self.first = (self.first + 1) % self.players
        self.hands = [dict.fromkeys(range(9)) for _ in range(self.players)]  # by place: the card, once known
        self.up = [set() for _ in range(self.players)]
        self.looks, self.turns, self.out = {}, 0, None
        self.opening, self.over, self.spot, self.rising = True, False, None, []

    def outcomes(self, text):
        if self.over:
            self.begin()
        from_stock = self.stock is not None and text.startswith("deal")
        cards = self.stock if from_stock else self.unseen
        return [(f"{text.split()[0]} {one}", cards[one]) for one in [*CARDS, "JK"] if cards[one]]

    def drew(self, text):
        verb, card = text.split()
        (self.stock if self.stock is not None and verb == "deal" else self.unseen)[card] -= 1
        if verb == "deal":
            self.shoe -= 1
            self.drawn = card
            if self.opening:
                self.lay(card)
                self.opening = False
            return
        what, seat, place = self.spot
        self.hands[seat][place] = card
        if what == "look":
            return
        if what == "rise":
            self.up[seat].add(place)
            self.rise()
        else:
            self.finish(what, seat, place)

    def moved(self, seat, text):
        verb, *words = text.split()
        self.mover, self.spot = seat, None
        if verb in ("flip", "take", "draw"):
            self.turns += 1
        place = 3 * int(words[0][1]) + int(words[0][3]) - 4 if words and words[0][0] == "r" else None
        if verb == "look":
            self.looks.setdefault(seat, []).append(place)
            self.spot = ("look", seat, place)
        elif verb == "turn":
            one, other = self.looks[seat]
            which = {"none": set(), "first": {one}, "second": {other}, "both": {one, other}}
            self.up[seat] |= which[words[1]]
        elif verb == "draw":
            if not self.shoe:
                self.stock, self.pile = self.pile, Counter()
                self.shoe = sum(self.stock.values())
        elif verb == "discard":
            self.lay(self.drawn)
            self.end_turn(seat)
        else:
            self.new = self.drawn if verb == "put" else self.top
            if verb == "take":
                self.pile[self.top] -= 1
            if self.hands[seat][place] is None:
                self.spot = (verb, seat, place)
            else:
                self.finish(verb, seat, place)

    def lay(self, card):
        self.pile[card] += 1
        self.top = card

    def finish(self, verb, seat, place):
        old = self.hands[seat][place]
        if verb != "flip":
            self.hands[seat][place] = self.new
        self.up[seat].add(place)
        self.clear(seat, place % 3)
        if verb != "flip":
            self.lay(old)
        self.end_turn(seat)

    def clear(self, seat, column):
        places = [column, column + 3, column + 6]
        if all(place in self.up[seat] for place in places):
            ranks = {self.hands[seat][place].rstrip("SHDC") for place in places}
            if len(ranks) == 1 and (ranks != {"JK"} or self.options["clear_jokers"]):
                for place in places:
                    self.lay(self.hands[seat].pop(place))
                    self.up[seat].remove(place)

    def end_turn(self, seat):
        self.mover = seat
        if self.out is None and self.up[seat] == set(self.hands[seat]):
            self.out = seat
        self.rising = [seat] if self.out not in (None, seat) else []
        self.closing = False
        self.rise()

    def rise(self):
        """Turn up the cards of those whose turns are over; stops where a card has to be drawn."""
        while True:
            while self.rising:
                seat = self.rising[0]
                unknown = [place for place, card in self.hands[seat].items() if card is None]
                if unknown:
                    self.spot = ("rise", seat, min(unknown))
                    return
                self.up[seat] = set(self.hands[seat])
                for column in range(3):
                    self.clear(seat, column)
                self.rising.pop(0)
            if self.closing or self.turns != self.options["turn_limit"] * self.players:
                break
            self.closing = True
            self.rising = [(self.first + step) % self.players for step in range(self.players)]
        self.over = self.closing or (self.mover + 1) % self.players == self.out


GAMES = {"doubles": Doubles, "finest9": Finest9, "multiple9": Multiple9, "baseball": Baseball}
GAMES |= {"nine_of_a_kind": NineOfAKind, "holdem9": None}


class Match:
    """A journal, entry by entry."""

    def __init__(self, record):
        self.record, fair = record, record["fair"]
        self.heads = [seat["anchor"] for seat in fair["seats"]]
        terms = ["ninefold match", fair["protocol"], fair["table"], fair["match"], record["game"]]
        terms += [record["version"], record["players"], record["options"], fair["commitments"], self.heads]
        terms += [fair["alone"]]
        who = [[seat["kind"], seat["name"], seat["bot"]] for seat in fair["seats"]]
        self.base = hashed([*terms, who] if fair["protocol"] == 3 else terms)
        self.cast = hashed(who) if fair["protocol"] >= 4 else b""
        self.numbered = fair["protocol"] < 5  # draws by how many came before them
        self.begun = None  # the tokens after the start
        self.roots = fair["commitments"] + [one[1] for one in fair["journal"] if one[0] == "promise"]
        self.key = b"" if "decks" in fair else bytes.fromhex(fair["key"])
        self.decks = fair.get("decks", [])
        self.drawn = Counter()  # by pot: how many draws
        self.mover, self.line, self.number, self.checked, self.hidden = None, [], 0, 0, 0
        self.label, self.last, self.openings = (
            "",
            ([], 0),
            0,
        )  # of the last draw; what it was for, which of it
        self.firsts, self.heard = list(self.heads), set()  # the first tokens of a round, and whose there were
        self.anchors, self.gave = list(self.heads), False  # and whether the move at hand brings a token
        self.missing = 0  # moves of people who have tokens, without one
        self.loose, self.owing = (
            0,
            set(),
        )  # undone moves without a token; whose next one shall confirm an undo
        self.seeds, self.taken = [], []  # of the decks; and before each step, the places dealt from
        self.places = {}
        self.sealing = record["game"] == "nine_of_a_kind" and not fair["alone"]
        self.sealed, self.opened, self.undone = {}, [], 0
        self.again()

    def again(self):
        made = GAMES[self.record["game"]]
        self.game = made(self.record["players"], self.record["options"]) if made else None

    def pot(self, of_round=False):
        heads, begun = self.firsts if of_round else self.heads, self.begun
        if self.record["fair"]["alone"] and self.mover is not None and not of_round:
            heads, begun = ([str(self.mover), one[self.mover]] for one in (heads, begun))
        cast = b"" if heads == begun and any(self.heads) else self.cast  # who sat where
        return sha(self.base, cast, " ".join(heads).encode())

    def token(self, seat, name):
        """Whether a name is the next token of a seat."""
        if not name or not self.heads[seat] or before(name) != self.heads[seat]:
            return False
        self.heads[seat] = name
        if seat not in self.heard:
            self.heard.add(seat)
            self.firsts[seat] = name
        return True

    def digest(self, text=None):
        """The bits of a draw, or of the order of sealed moves."""
        alone, occasion = self.record["fair"]["alone"], []
        if text is not None and not self.numbered:
            occasion = self.game.occasion(text)
        pot = self.pot(of_round=bool(alone and occasion))
        number = self.drawn[pot] if alone else self.number
        if not (alone and occasion):
            self.drawn[pot] += 1
        self.number += 1
        if self.numbered:
            label = number.to_bytes(8, "big")
        elif text is None:
            label = f"order {self.openings}".encode()
        else:
            label = self.label_of(occasion, number).encode()
        return hmac.digest(self.key, label + pot, "sha256")

    def label_of(self, occasion, number):
        if not occasion and self.record["fair"]["alone"]:
            self.label, self.last = f"own {number}", ([], 0)
            return self.label
        what = ["part", *occasion] if occasion else ["own", self.openings, self.mover]
        count = self.last[1] if self.last[0] == what else 0
        self.last = what, count + 1
        if occasion:
            self.heard = set()
        parts = ["part", self.undone, *occasion] if occasion else what
        self.label = " ".join(map(str, [*parts, count]))
        return self.label

    def outcome(self, outcomes, digest):
        """What a hash draws: every unit of weight draws a lot, and the lowest wins; before protocol 5 by
        weight, in order."""
        if not self.numbered and sum(weight for _, weight in outcomes) <= 1024:
            lots = []
            for text, weight in outcomes:
                name = self.game.texts.index(text.replace("reveal", "deal")).to_bytes(4, "big")
                lots += [(sha(digest, name, unit.to_bytes(4, "big")), text) for unit in range(weight)]
            return min(lots)[1]
        number = int.from_bytes(digest, "big") % sum(weight for _, weight in outcomes)
        for text, weight in outcomes:
            if number < weight:
                return text
            number -= weight
        return ""

    def step(self, seat, text):
        self.line.append([seat, text])
        self.taken.append((self.places, self.last, self.gave))
        if self.game and seat == "chance":
            self.game.occasion(text)
            self.game.outcomes(text)  # what it does to the deck, it does here, too
            self.game.drew(text)
        elif self.game:
            self.game.moved(seat, text)

    def take(self, kind, *rest):
        if kind == "draw":
            self.draw(*rest)
        elif kind in ("move", "seal", "roll", "start"):
            if kind == "roll" and self.record["fair"]["alone"]:
                raise Forged("there are no dice in this game")
            self.mover = rest[0] if kind != "start" else None
            self.gave = self.token(rest[0], rest[-1])
            if self.gave:
                self.owing.discard(rest[0])
            if self.anchors[rest[0]] and not self.gave and kind == ("seal" if self.sealing else "move"):
                self.missing += 1
            if kind == "start":
                self.begun = list(self.heads)
            elif kind == "seal":
                self.seal(*rest[:2])
            elif kind == "move":
                self.check_order(*rest[:2])
                self.step(*rest[:2])
        elif kind == "open":
            self.open(*rest)
        elif kind == "undo":
            seat, to, _ = rest
            self.undone += 1
            if self.record["game"] == "nine_of_a_kind":
                raise Forged("nothing can be undone where everyone plays at once")
            if not 0 <= to < len(self.line) or self.line[to][0] != seat:
                raise Forged("something was undone that was not played")
            if self.taken[to][2]:
                self.owing.add(seat)
            else:
                self.loose += 1
            kept, (self.places, self.last, _) = self.line[:to], self.taken[to]
            self.line, taken = [], self.taken[:to]
            self.again()
            places, last = self.places, self.last
            for one in kept:
                self.step(*one)
            self.taken, self.places, self.last = taken, places, last
        elif kind != "promise":
            raise Forged(f"{kind} is not an entry of a journal")

    def seal(self, seat, text):
        if not self.sealing or seat in self.sealed:
            raise Forged("a move was sealed where none could be")
        self.sealed[seat] = text

    def open(self, order):
        if not self.sealed or sorted(order) != sorted(self.sealed):
            raise Forged("moves were opened that nobody had sealed")
        self.opened, self.sealed = [(seat, self.sealed[seat]) for seat in order], {}
        digest = self.digest()
        self.openings += 1
        if not self.key:
            self.hidden += 1
            return
        if order != sorted(order, key=lambda seat: hmac.digest(digest, bytes([seat]), "sha256")):
            raise Forged("the order of sealed moves is not the one drawn")
        self.checked += 1

    def check_order(self, seat, text):
        """Sealed moves take effect in their order, some as `wait` or not at all, and no others do."""
        while self.sealing and self.opened and self.opened[0][0] != seat:
            self.opened.pop(0)
        if self.sealing and (not self.opened or text not in (self.opened.pop(0)[1], "wait")):
            raise Forged("a move is not the sealed one whose turn it was")

    def draw(self, text, told=None):
        if not self.game:
            return self.deal(text, told)
        if (told is None) != self.numbered:
            raise Forged("a draw does not say what it is for")
        digest = self.digest(text)
        if told not in (None, self.label):
            raise Forged(f"{text} was drawn for {told!r} instead of {self.label!r}")
        if not self.key:  # of a match that was cut short it stays secret, with the hands
            self.hidden += 1
            return self.step("chance", text)
        drawn = self.outcome(self.game.outcomes(text), digest)
        if drawn != text:
            raise Forged(f"{text} was recorded, but {drawn} was drawn")
        self.checked += 1
        return self.step("chance", text)

    def deal(self, text, deck):
        """The next card of a deck, whose place may stay closed."""
        number, pot = self.number.to_bytes(8, "big"), self.pot()
        self.number += 1
        before_it = self.places
        if deck == len(self.seeds):
            self.seeds.append(sha(b"deck", deck.to_bytes(8, "big"), pot))
            taken = set()
        elif before_it.get("deck") == deck:
            taken = before_it["taken"]
        else:
            raise Forged("a card comes from the wrong deck")
        if not self.numbered:
            number = f"deck {self.undone} {deck} {len(taken)}".encode()
        free = [place for place in range(52) if place not in taken]
        place = free[int.from_bytes(sha(b"place", number, pot), "big") % len(free)]
        self.line.append(["chance", text])
        self.taken.append((before_it, self.last, False))
        self.places = {"deck": deck, "taken": taken | {place}}
        content = self.decks[deck]["open"].get(str(place))
        if content is None:
            self.hidden += 1
            if text != "deal ??":
                raise Forged(f"{text} is shown, but not its place")
            return
        drawn = CARDS[order(self.seeds[deck], 52)[bytes.fromhex(content)[16]]]
        if text.split()[1] != drawn:
            raise Forged(f"{text} was recorded, but {drawn} was dealt")
        self.checked += 1


def verify(record):
    """How many draws were checked, and how many cards stay hidden; Forged if one is wrong."""
    match = walk(record)
    return match.checked, match.hidden


def walk(record):
    """The match, after all that its journal tells."""
    try:
        fair, rest = record["fair"], {name: part for name, part in record.items() if name != "digest"}
        if fair["protocol"] not in (2, 3, 4, 5):
            raise Forged(f"it is of protocol {fair['protocol']!r}, and this program knows 2 to 5")
        if record["digest"] != hashed(rest).hex():
            raise Forged("the record does not match its digest")
        match = Match(record)
        if not match.key and "key" in fair and record["over"] is not False:
            raise Forged("the match is over, but its key is not shown")
        if any(seat["anchor"] and seat["kind"] != "person" for seat in fair["seats"]):
            raise Forged("only people add to the draws")
        if match.key and [sha(b"key", match.key).hex()] != match.roots:
            raise Forged("the key is not the one that was promised")
        if len(match.decks) > len(match.roots):
            raise Forged("there are more decks than were promised")
        for deck, promised in zip(match.decks, match.roots, strict=False):
            closed = {"open": deck["open"], "closed": list(deck["closed"])}
            if root(closed).hex() != promised or closed["closed"]:
                raise Forged("a deck is not the one that was promised")
        kinds = [entry[0] for entry in fair["journal"]]
        if kinds[0] != "start" or kinds.count("start") != 1:
            raise Forged("a match begins with its start, and once")
        for entry in fair["journal"]:
            match.take(*entry)
        if match.line != record["moves"]:
            raise Forged("the moves are not those of the proof")
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise Forged(f"the proof is broken: {error!r}") from None
    return match


def read(path):
    try:
        return json.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        sys.exit(f"{path} cannot be read: {error}")


def added(match):
    """Who could keep the server from choosing."""
    people = sum(seat["kind"] == "person" for seat in match.record["fair"]["seats"])
    if not any(match.anchors):
        return f"None of {people} people added to the draws, so the server could have chosen them all."
    return f"{sum(map(bool, match.anchors))} of {people} people added to the draws."


def main(path, kept=None):
    record = read(path)
    match = walk(record)
    if not record["fair"].get("key", "shown"):
        hidden = match.hidden
        print(f"Nothing can be checked: the match was cut short, and the key of {hidden} draws stays secret.")
    else:
        print(f"{match.checked} draws were made again and came out the same.")
        print(f"{match.hidden} cards were never shown.")
    print(added(match))
    if match.missing:
        print(f"{match.missing} of their moves came without a number: a clock or a stand-in, they say.")
    if match.undone:
        print(f"Undone stretches: {match.undone}. Is that what the players remember?")
        loose = match.loose + len(match.owing)
        print(f"{loose} of these no player's number confirms: the server could have drawn again.")
    if kept:
        promised = [root for root, _ in read(kept)["commitments"]]
        if promised[: len(match.roots)] != match.roots[: len(promised)]:
            raise Forged("the promises are not those that were kept")
        print("The promises are those that were kept during the match.")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("Say which record: python verify_match.py match.json [kept.json]")
    try:
        main(*sys.argv[1:])
    except Forged as error:
        sys.exit(f"Forged: {error}.")
