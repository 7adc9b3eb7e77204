/** Files in many encodings, as they are found in workspaces. @module */

import type { Encoding } from '#worker/texts/encoding.ts'

/** Bytes by their values. */
export const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes)

const utf8 = (text: string) => new TextEncoder().encode(text)

/** The bytes of characters below U+0100. */
export const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))

/** UTF-16 with a byte order mark, as PowerShell writes it. */
export function utf16(text: string, order: 'utf-16le' | 'utf-16be' = 'utf-16le'): Uint8Array {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  const bytes = [0xfeff, ...units].flatMap((unit) => [unit & 0xff, unit >> 8])
  if (order === 'utf-16be')
    for (let at = 0; at < bytes.length; at += 2)
      bytes.splice(at, 2, bytes[at + 1] ?? 0, bytes[at] ?? 0)
  return Uint8Array.from(bytes)
}

const LOG = '2026-01-02 10:00:00 all is well\n'.repeat(16)

/** A log in which one byte of a line is another one. */
export const damagedLog = (byte: number) =>
  latin1(LOG.replace('all', `a${String.fromCharCode(byte)}l`))

/** The header of an archive, and the text that follows it. */
function tarOfText(text: string): Uint8Array {
  const name = 'log.txt'.padEnd(257, '\0')
  return utf8(`${`${name}ustar\0`.padEnd(512, '\0')}${text}`)
}

/** What files are, their bytes and their encodings. */
export const FILES: readonly (readonly [what: string, bytes: Uint8Array, encoding: Encoding])[] = [
  ['an empty file', utf8(''), 'utf-8'],
  ['UTF-8', utf8('größe €\n'), 'utf-8'],
  ['UTF-8 with a byte order mark', utf8('\ufeffgröße\r\n'), 'utf-8-bom'],
  ['UTF-16 of PowerShell', utf16('größe 😀\r\n'), 'utf-16le'],
  ['UTF-16 of the other byte order', utf16('größe\r\n', 'utf-16be'), 'utf-16be'],
  ['Latin-1', latin1('größe\nund mehr\n'), 'damaged'],
  ['Shift JIS', bytesOf(0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x0a), 'damaged'],
  ['a log with one bad byte', damagedLog(0xff), 'damaged'],
  ['a log with one NUL', damagedLog(0), 'damaged'],
  ['a log after a crash', utf8(`${LOG}${'\0'.repeat(4_096)}${LOG}`), 'damaged'],
  ['a log with room at its end', utf8(LOG + '\0'.repeat(3_000)), 'damaged'],
  ['text whose end is cut', utf8('größe €').slice(0, -1), 'damaged'],
  ['bytes and NULs', bytesOf(0, 255), 'binary'],
  ['the beginning of a PNG', bytesOf(137, 80, 78, 71, 13, 10, 26, 10, 0, 255), 'binary'],
  ['a JPEG', bytesOf(0xff, 0xd8, 0xff, 0xe0, 0x41, 0x42), 'binary'],
  ['UTF-16 whose end is cut', utf16('cut').slice(0, -1), 'binary'],
  ['UTF-32', bytesOf(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), 'binary'],
  ['NULs alone', new Uint8Array(512), 'binary'],
  ['a tar archive of one text', tarOfText(LOG.repeat(100)), 'binary'],
  ['records with fields of fixed width', utf8('tty1\0'.padEnd(40, '\0').repeat(20)), 'binary'],
  ['every byte', Uint8Array.from({ length: 256 }, (_, byte) => byte), 'binary'],
]
