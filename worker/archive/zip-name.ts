/**
 * The names of a zip archive (APPNOTE.TXT, appendix D): UTF-8, or code page 437 where the archive does not say so.
 * `test/worker/archive/zip.test.ts` has those of several systems.
 *
 * @module
 */

import { crc32 } from 'node:zlib'
import { readUintLe } from '../encoding/bytes.ts'
import type { ArchiveText } from './entry.ts'

/** What the header of an entry says of its name. */
interface NameFacts {
  readonly isUtf8: boolean
  /** Info-ZIP's field with the name in UTF-8. */
  readonly unicodePath: Uint8Array | undefined
}

/**
 * Decodes a name. Programs of macOS and Unix write UTF-8 without saying so; what is no UTF-8 has the code page of the
 * format. Programs for Windows separate folders by backslashes now and then.
 */
export function decodeName(bytes: Uint8Array, { isUtf8, unicodePath }: NameFacts): ArchiveText {
  const name = decodeText((unicodePath && unicodeName(bytes, unicodePath)) ?? bytes, isUtf8)
  return typeof name === 'string' ? name.replaceAll('\\', '/') : name
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeText(bytes: Uint8Array, isUtf8: boolean): ArchiveText {
  try {
    return strict.decode(bytes)
  } catch {
    return isUtf8 ? bytes.slice() : decodeCodePage(bytes)
  }
}

/** Returns the name of a Unicode path, unless it belongs to another name. */
function unicodeName(name: Uint8Array, field: Uint8Array): Uint8Array | null {
  if (field.length < 6 || field[0] !== 1) return null
  return readUintLe(field, 1, 4) === crc32(name) ? field.subarray(5) : null
}

/** The characters from 128 on; those before are ASCII. */
const UPPER =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** Decodes bytes of code page 437. */
const decodeCodePage = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) =>
    byte < 128 ? String.fromCharCode(byte) : (UPPER[byte - 128] ?? ''),
  ).join('')
