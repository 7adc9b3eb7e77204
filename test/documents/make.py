"""Makes the documents of `test/documents/made/` and what other programs read in them.

Needs LibreOffice (writer, calc, impress), pandoc, poppler-utils, and python3 with python3-docx and python3-openpyxl, all
of Debian. It is run by hand, and what it made is committed: `python3 test/documents/make.py`, with `texts`, `sheets`,
`slides` or `others` for some of them.

Each document has a `.txt` beside it with the text as another program reads it: LibreOffice for text documents, pdftotext
for PDFs, and pdftotext of the PDF that LibreOffice prints for sheets and slides.
"""

import csv
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).parent
MADE = HERE / "made"
WORDS = (
    "river stone window garden letter number market signal winter summer table paper mountain bridge music engine "
    "harbour village forest kitchen journey mirror planet student teacher doctor farmer painter sailor writer "
    "quarter budget revenue margin contract delivery invoice payment customer supplier project schedule report"
).split()
GERMAN = "Straße Größe Übung Märkte Jahresbericht Prüfung Verträge Lösung Häuser Zürich Änderung schließen".split()
GREEK = "ποτάμι πέτρα παράθυρο κήπος γράμμα αριθμός αγορά χειμώνας καλοκαίρι τραπέζι".split()
RUSSIAN = "река камень окно сад письмо число рынок зима лето стол бумага гора мост".split()


def sentences(words, count, seed):
    chance = random.Random(seed)
    return [
        " ".join(chance.choice(words) for _ in range(chance.randint(6, 14))).capitalize() + "."
        for _ in range(count)
    ]


def page(title, words, paragraphs, seed, extra=""):
    lines = sentences(words, paragraphs * 4, seed)
    body = "".join(f"<p>{' '.join(lines[at * 4 : at * 4 + 4])}</p>" for at in range(paragraphs))
    return f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>{title}</title></head><body><h1>{title}</h1>{body}{extra}</body></html>"


TABLE = "<table border='1'><tr><th>Item</th><th>Price</th></tr>" + "".join(
    f"<tr><td>{word} &amp; more</td><td>{index * 12.5}</td></tr>" for index, word in enumerate(WORDS[:8])
) + "</table>"
LIST = "<h2>List</h2><ul>" + "".join(f"<li>{word} <b>bold</b> and <i>italic</i></li>" for word in WORDS[8:16]) + "</ul>"

TEXTS = {
    "report": page("Quarterly report", WORDS, 8, 1, TABLE + LIST),
    "letter": page("Jahresbrief", GERMAN + WORDS[:10], 5, 2, LIST),
    "greek": page("Ελληνικά", GREEK, 5, 3),
    "russian": page("Отчёт", RUSSIAN, 5, 4, TABLE),
    "long": page("A long text", WORDS, 90, 5),
}

SHEETS = {
    "budget": [["Month", "Revenue", "Margin"]] + [[f"Month {at}", 1000 * at + 0.5, at / 40] for at in range(1, 13)],
    "people": [["Name", "City", "Notes"]] + [[word.title(), GERMAN[at % 12], f"note {at}"] for at, word in enumerate(WORDS)],
}

SLIDES = {"talk": [sentences(WORDS, 3, at) for at in range(6)], "rede": [sentences(GERMAN, 2, at) for at in range(4)]}


def run(*command, **options):
    subprocess.run([str(part) for part in command], check=True, capture_output=True, timeout=300, **options)


def office(source, to, folder):
    run("soffice", "--headless", "--convert-to", to, "--outdir", folder, source)
    return folder / f"{source.stem}.{to.split(':')[0]}"


def pdf_text(source):
    """Reads a PDF. The numbers that LibreOffice prints at the foot of a sheet are not of the document."""
    text = subprocess.run(["pdftotext", "-layout", str(source), "-"], check=True, capture_output=True).stdout.decode()
    return re.sub(r"(?m)^\s*Page \d+\s*$", "", text)


def keep(source, name, text):
    shutil.copy(source, MADE / name)
    (MADE / f"{name}.txt").write_text(text)


def office_text(source, folder):
    target = folder / "judge"
    target.mkdir(exist_ok=True)
    return office(source, "txt:Text (encoded):UTF8", target).read_text(encoding="utf-8-sig")


def make_texts(folder):
    for name, html in TEXTS.items():
        source = folder / f"{name}.html"
        source.write_text(html)
        odt = folder / "office"
        odt.mkdir(exist_ok=True)
        run("soffice", "--headless", "--infilter=HTML (StarWriter)", "--convert-to", "odt:writer8", "--outdir", odt, source)
        first = odt / f"{name}.odt"
        text = office_text(first, folder)
        keep(source, f"{name}.html", text)
        keep(first, f"{name}.odt", text)
        for kind, to in {"docx": "docx:MS Word 2007 XML", "rtf": "rtf", "epub": "epub"}.items():
            keep(office(first, to, folder), f"{name}.{kind}", text)
        printed = office(first, "pdf", folder)
        keep(printed, f"{name}.pdf", pdf_text(printed))
        if name in ("report", "greek"):
            for kind in ("docx", "odt", "epub", "rtf"):
                made = folder / f"{name}-pandoc.{kind}"
                run("pandoc", "-s", source, "-o", made)
                keep(made, made.name, text)


def make_sheets(folder):
    import openpyxl

    for name, rows in SHEETS.items():
        source = folder / f"{name}.csv"
        with source.open("w") as file:
            csv.writer(file).writerows(rows)
        run("soffice", "--headless", "--infilter=CSV:44,34,76,1", "--convert-to", "ods", "--outdir", folder, source)
        ods = folder / f"{name}.ods"
        text = pdf_text(office(ods, "pdf", folder))
        keep(ods, f"{name}.ods", text)
        keep(office(ods, "xlsx", folder), f"{name}.xlsx", text)
        book = openpyxl.Workbook()
        for title in ("First", "Second"):
            sheet = book.create_sheet(title) if title == "Second" else book.active
            sheet.title = title
            for column in "ABC":
                # The judge reads what is printed, where narrow columns break words.
                sheet.column_dimensions[column].width = 30
            for row in rows:
                sheet.append(row)
        made = folder / f"{name}-openpyxl.xlsx"
        book.save(made)
        keep(made, made.name, pdf_text(office(made, "pdf", folder)))


def make_slides(folder):
    for name, slides in SLIDES.items():
        pages = "".join(
            f"<draw:page draw:name='p{number}' draw:master-page-name='Default'>"
            + "".join(
                f"<draw:frame svg:width='24cm' svg:height='2cm' svg:x='1cm' svg:y='{1 + 3 * at}cm'><draw:text-box>"
                f"<text:p>{line}</text:p></draw:text-box></draw:frame>"
                for at, line in enumerate([f"Slide number {number}", *lines])
            )
            + "</draw:page>"
            for number, lines in enumerate(slides)
        )
        spaces = " ".join(
            f"xmlns:{short}='urn:oasis:names:tc:opendocument:xmlns:{long}:1.0'"
            for short, long in {"office": "office", "draw": "drawing", "text": "text", "style": "style"}.items()
        )
        spaces += " xmlns:svg='urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0'"
        source = folder / f"{name}.odp"
        kind = "application/vnd.oasis.opendocument.presentation"
        files = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
        with zipfile.ZipFile(source, "w") as archive:
            archive.writestr("mimetype", kind)
            archive.writestr(
                "content.xml",
                f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces} office:version="1.2">'
                f"<office:body><office:presentation>{pages}</office:presentation></office:body></office:document-content>",
            )
            archive.writestr(
                "META-INF/manifest.xml",
                f'<manifest:manifest xmlns:manifest="{files}"><manifest:file-entry manifest:full-path="/" '
                f'manifest:media-type="{kind}"/><manifest:file-entry manifest:full-path="content.xml" '
                'manifest:media-type="text/xml"/></manifest:manifest>',
            )
        printed = office(source, "pdf", folder)
        text = pdf_text(printed)
        keep(source, source.name, text)
        made = office(source, "pptx:Impress MS PowerPoint 2007 XML", folder)
        keep(made, made.name, text)
        keep(printed, f"{name}.pdf", text)


def make_others(folder):
    import docx

    document = docx.Document()
    document.add_heading("Made by python-docx", 1)
    lines = sentences(WORDS, 20, 9)
    for line in lines:
        document.add_paragraph(line)
    table = document.add_table(rows=0, cols=2)
    for word in WORDS[:6]:
        cells = table.add_row().cells
        cells[0].text, cells[1].text = word, word[::-1]
    made = folder / "python.docx"
    document.save(made)
    keep(made, made.name, office_text(made, folder))
    notebook = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
        "cells": [{"cell_type": "markdown", "metadata": {}, "source": [line + "\n"]} for line in lines],
    }
    made = folder / "notes.ipynb"
    made.write_text(json.dumps(notebook))
    keep(made, made.name, "\n".join(lines))


KINDS = {"texts": make_texts, "sheets": make_sheets, "slides": make_slides, "others": make_others}


def main():
    MADE.mkdir(exist_ok=True)
    for kind in sys.argv[1:] or KINDS:
        with tempfile.TemporaryDirectory() as name:
            KINDS[kind](pathlib.Path(name))
    print(len(list(MADE.iterdir())) // 2, "documents")


main()
