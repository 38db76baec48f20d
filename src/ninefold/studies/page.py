"""A study as one page of HTML that needs nothing else: no network, no scripts, dark and light, any width."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from ninefold.studies.glance import glance
from ninefold.studies.pictures import DARK, LIGHT, RULES
from ninefold.studies.section import Section
from ninefold.studies.sections import sections
from ninefold.studies.wording import head, method

if TYPE_CHECKING:
    from ninefold.studies.report import Study

STYLE = f"""
:root{{color-scheme:light dark;{LIGHT}--paper:#fff;--card:#f6f8fa}}
@media(prefers-color-scheme:dark){{:root{{{DARK}--paper:#0d1117;--card:#161b22}}}}
svg {RULES.replace("}.", "}svg .")}
*{{box-sizing:border-box}}
body{{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}}
main{{max-width:62rem;margin:0 auto;padding:1.25rem 1rem 4rem}}
h1{{font-size:1.9rem;line-height:1.15;margin:.5rem 0}}
h2{{font-size:1.35rem;line-height:1.2;margin:0 0 .5rem}}
p{{margin:.5rem 0;max-width:42rem}}
.lead{{color:var(--soft)}}
.glance{{display:grid;grid-template-columns:repeat(auto-fit,minmax(max(9rem,20%),1fr));gap:.6rem;margin:1.25rem 0 0;padding:0}}
.glance div{{background:var(--card);border-radius:.6rem;padding:.7rem .8rem}}
.glance dt{{font-size:.85rem;color:var(--soft)}}
.glance dd{{margin:0;font-size:1.6rem;font-weight:650;line-height:1.25}}
.glance dd+dd{{font-size:.8rem;font-weight:400;color:var(--soft)}}
nav{{margin:1.25rem 0 0;display:flex;flex-wrap:wrap;gap:.25rem 1rem}}
nav a{{color:var(--s1);padding:.35rem 0}}
section{{border-top:1px solid var(--grid);margin-top:2rem;padding-top:1.5rem}}
.side{{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem 2.5rem}}
@media(min-width:52rem){{.side{{grid-template-columns:1fr 1fr}}.side>.wide-too{{grid-column:1/-1}}}}
figure{{margin:1rem 0 0;max-width:32rem}}
.side>div:first-child:not(.wide-too)+figure{{margin-top:.25rem}}
figure svg{{width:100%;height:auto;display:block;overflow:visible}}
figcaption{{font-size:.85rem;color:var(--soft);margin-bottom:.4rem}}
.wide{{overflow-x:auto;margin-top:.3rem}}
.wide:focus-visible{{outline:2px solid var(--s1)}}
table{{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}}
.caption{{color:var(--soft);font-size:.85rem;margin:1.25rem 0 0}}
th,td{{padding:.3rem .7rem .3rem 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--grid)}}
th:first-child{{text-align:left;white-space:normal;min-width:6.5rem;position:sticky;left:0;background:var(--paper)}}
th{{font-weight:600}}
thead th{{white-space:normal;vertical-align:bottom}}
code{{font:.82rem/1.5 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}}
pre{{background:var(--card);border-radius:.5rem;padding:.6rem .8rem;margin:.5rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere}}
details{{margin-top:1rem;font-size:.9rem}}
summary{{cursor:pointer;color:var(--soft);padding:.35rem 0}}
@media(min-width:52rem){{th:first-child{{white-space:nowrap}}}}
@media print{{pre,nav{{display:none}}section{{break-inside:avoid}}}}
"""


def page(study: Study) -> str:
    shown = sections(study)
    links = "".join(f'<a href="#{one.name}">{escape(one.title)}</a>' for one in shown)
    figures = "".join(
        f"<div><dt>{escape(one.label)}</dt><dd>{escape(one.value)}</dd><dd>{escape(one.interval)}</dd></div>"
        for one in glance(study)
    )
    title = f"A study of {study.title}"
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>",
            f"<h1>{escape(title)}</h1>",
            *(f'<p class="lead">{escape(sentence)}</p>' for sentence in head(study)),
            f'<dl class="glance">{figures}</dl><nav aria-label="Sections">{links}</nav>',
            *(_section(one) for one in shown),
            f'<section id="method"><h2>How this was measured</h2>{_paragraphs(method(study))}</section>',
            "</main></body></html>\n",
        ]
    )


def _section(one: Section) -> str:
    pictures = [
        f"<figure><figcaption>{escape(picture.caption)}</figcaption>{picture.svg}</figure>"
        for picture in one.pictures
        if picture.svg
    ]
    alone = "" if len(pictures) == 1 else ' class="wide-too"'
    again = "".join(f"<pre><code>{escape(command)}</code></pre>" for command in one.commands)
    return (
        f'<section id="{one.name}"><h2>{escape(one.title)}</h2>'
        f'<div class="side"><div{alone}>{_paragraphs(one.sentences)}</div>{"".join(pictures)}</div>'
        f"{''.join(map(_table, one.tables))}"
        f"<details><summary>Run it again</summary>{again}</details></section>"
    )


def _paragraphs(sentences: list[str]) -> str:
    return "".join(f"<p>{_marked(sentence)}</p>" for sentence in sentences)


def _marked(sentence: str) -> str:
    """The two marks of Markdown that our sentences use."""
    kept = escape(sentence).replace(" %", "\N{NO-BREAK SPACE}%")
    found = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", kept)
    return re.sub(r"`(.+?)`", r"<code>\1</code>", found)


def _table(given: tuple[str, list[list[str]]]) -> str:
    caption, (head_, *rest) = given
    cells = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head_)
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rest
    )
    label = escape(caption)
    return (
        f'<p class="caption">{label}</p><div class="wide" tabindex="0" role="region" aria-label="{label}">'
        f"<table><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
