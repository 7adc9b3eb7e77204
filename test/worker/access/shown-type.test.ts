/** The type that content is shown as: that of the bytes first, that of the name where both are true. */

import { expect, it } from 'vitest'
import { mimeOf } from '#worker/encoding/media-type.ts'
import { encodingOf } from '#worker/texts/text.ts'
import { shownType } from '#worker/access/shown-type.ts'
import {
  GIF,
  JPEG,
  JUNK,
  latin1,
  LFS_POINTER,
  PNG,
  PNG_STUB,
  utf8,
} from '../../support/worker/media-samples.ts'

const ZIP = latin1(`PK\x05\x06${'\0'.repeat(18)}`)

it.each([
  ['a.png', PNG, 'image/png'],
  ['a.png', JPEG, 'image/jpeg'],
  ['a.txt', GIF, 'image/gif'],
  ['no-extension', PNG, 'image/png'],
  ['a.svg', utf8('<svg/>'), 'image/svg+xml'],
  ['a.png', PNG_STUB, 'application/octet-stream'],
  ['a.gif', JUNK, 'application/octet-stream'],
  ['a.png', utf8(LFS_POINTER), 'text/plain'],
  ['a.mp3', utf8(LFS_POINTER), 'text/plain'],
  ['a.woff2', utf8(LFS_POINTER), 'text/plain'],
  ['a.pdf', utf8('<html>'), 'text/plain'],
  ['a.pdf', utf8('%PDF-1.4\nand so on\n%%EOF\n'), 'application/pdf'],
  ['a.png', new Uint8Array(0), 'text/plain'],
  ['a.mp4', JUNK, 'video/mp4'],
  ['a.epub', ZIP, 'application/epub+zip'],
  ['a.docx', ZIP, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.ods', ZIP, 'application/vnd.oasis.opendocument.spreadsheet'],
  ['a.docx', utf8('not yet'), 'text/plain'],
  ['a.ipynb', utf8('{"cells": []}'), 'application/x-ipynb+json'],
  ['a.md', ZIP, 'application/zip'],
  ['a.ts', utf8('export {}'), 'text/typescript'],
  ['a.txt', latin1('caf\xe9'), 'text/plain'],
  ['a.json', utf8('{}'), 'application/json'],
])('%s', (name, bytes, type) => {
  const file = { mime: mimeOf(`/${name}`, encodingOf(bytes) !== 'binary'), size: bytes.length }
  expect(shownType(file, bytes)).toBe(type)
  // Also where the type of the name was kept without a look at the content.
  expect(shownType({ ...file, mime: mimeOf(`/${name}`, false) }, bytes)).toBe(type)
})

it('the beginning of a text may end inside a character', () => {
  const bytes = utf8('ü'.repeat(100)).subarray(0, 99)
  expect(shownType({ mime: 'image/png', size: 200 }, bytes)).toBe('text/plain')
})
