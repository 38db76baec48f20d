"""What starting hands are worth."""

import numpy as np

# Parts of the pot, in thousandths, that each starting hand wins against one hand of any cards: a row for the
# higher card from A to K, a column for the lower one (`ninefold odds --chart`; a test compares them).
CHART = (
    (346,),
    (289, 288),
    (343, 247, 401),
    (362, 235, 287, 430),
    (475, 414, 427, 523, 529),
    (463, 360, 494, 408, 537, 482),
    (553, 528, 483, 516, 577, 589, 661),
    (566, 459, 466, 439, 626, 567, 608, 674),
    (503, 437, 484, 481, 612, 594, 661, 644, 672),
    (387, 333, 387, 439, 499, 501, 622, 721, 558, 525),
    (406, 295, 384, 371, 571, 489, 719, 592, 548, 449, 541),
    (457, 389, 499, 427, 554, 704, 607, 586, 582, 511, 506, 649),
    (514, 391, 445, 405, 726, 561, 665, 572, 593, 586, 495, 552, 696),
)
START = np.array(
    [[CHART[max(a, b)][min(a, b)] for b in range(len(CHART))] for a in range(len(CHART))], np.int64
)
