/**
 * Media types by content: what bytes are, whatever the name of their file says.
 *
 * A type is only named where the bytes are checked beyond their first ones, because a program that is given an image or
 * an archive that is none fails, and a conversation that has one in it may fail for ever. Text has no signature.
 * `test/worker/texts/signature.test.ts` has the cases.
 *
 * @module
 */

import { hasBytes, readUint, readUintLe, type ReadonlyBytes } from '../encoding/bytes.ts'
import { isBmp, isGif, isIco, isJpeg, isPng, isWebp, type Check } from './image-signature.ts'
import { boxType, isFlac, isMp3, isWav, oggType } from './media-signature.ts'

const isZip: Check = (bytes, size) =>
  (hasBytes(bytes, 0, 'PK\x03\x04') && readUintLe(bytes, 26, 2) > 0 && size > 52) ||
  (hasBytes(bytes, 0, 'PK\x05\x06') && size >= 22)

const isGzip: Check = (bytes, size) =>
  hasBytes(bytes, 0, '\x1f\x8b\x08') && ((bytes[3] ?? 0xff) & 0xe0) === 0 && size >= 18

const isBzip2: Check = (bytes) =>
  hasBytes(bytes, 0, 'BZh') &&
  (hasBytes(bytes, 4, '1AY&SY') || hasBytes(bytes, 4, '\x17\x72\x45\x38\x50\x90'))

const isXz: Check = (bytes, size) =>
  hasBytes(bytes, 0, '\xfd7zXZ\0\0') && (bytes[7] ?? 0xff) <= 0x0f && size >= 32

const is7z: Check = (bytes, size) => hasBytes(bytes, 0, '7z\xbc\xaf\x27\x1c\0') && size >= 32

const isZstd: Check = (bytes, size) =>
  hasBytes(bytes, 0, '\x28\xb5\x2f\xfd') && ((bytes[4] ?? 0xff) & 0x08) === 0 && size >= 9

/** Tar: a header whose checksum is that of its bytes, with spaces in place of the checksum. */
const isTar: Check = (bytes, size) => {
  if (!hasBytes(bytes, 257, 'ustar') || size < 512) return false
  let sum = 8 * 0x20
  for (let at = 0; at < 512; at++) sum += at >= 148 && at < 156 ? 0 : (bytes[at] ?? 0)
  let sent = 0
  for (let at = 148; at < 156; at++) {
    const digit = (bytes[at] ?? 0) - 0x30
    if (digit >= 0 && digit <= 7) sent = sent * 8 + digit
  }
  return sum === sent
}

/** Where the end of a PDF is looked for, in bytes from its end. */
const PDF_END = 2_048

const isPdf: Check = (bytes, size) => {
  if (!hasBytes(bytes, 0, '%PDF-') || bytes[6] !== 0x2e) return false
  if (bytes.length < size) return true
  for (let at = bytes.length - 5; at > Math.max(8, bytes.length - PDF_END); at--)
    if (hasBytes(bytes, at, '%%EOF')) return true
  return false
}

const isOle: Check = (bytes, size) =>
  hasBytes(bytes, 0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') && size >= 1_536

const isElf: Check = (bytes, size) =>
  hasBytes(bytes, 0, '\x7fELF') &&
  [bytes[4], bytes[5]].every((kind) => kind === 1 || kind === 2) &&
  bytes[6] === 1 &&
  size >= 52

const isPe: Check = (bytes, size) => {
  const at = readUintLe(bytes, 60, 4)
  return hasBytes(bytes, 0, 'MZ') && at >= 64 && at + 24 <= size && hasBytes(bytes, at, 'PE\0\0')
}

const isMach: Check = (bytes, size) => {
  const isLittle = hasBytes(bytes, 1, '\xfa\xed\xfe') && [0xce, 0xcf].includes(bytes[0] ?? 0)
  const isBig = hasBytes(bytes, 0, '\xfe\xed\xfa') && [0xce, 0xcf].includes(bytes[3] ?? 0)
  const kind = isLittle ? readUintLe(bytes, 12, 4) : readUint(bytes, 12, 4)
  return (isLittle || isBig) && kind >= 1 && kind <= 12 && size >= 28
}

const isWasm: Check = (bytes) => hasBytes(bytes, 0, '\0asm\x01\0\0\0')

/** The checks, in no order: no content passes two of them. */
const CHECKS: readonly (readonly [type: string, check: Check])[] = [
  ['image/png', isPng],
  ['image/jpeg', isJpeg],
  ['image/gif', isGif],
  ['image/webp', isWebp],
  ['image/bmp', isBmp],
  ['image/x-icon', isIco],
  ['audio/wav', isWav],
  ['audio/flac', isFlac],
  ['audio/mpeg', isMp3],
  ['application/zip', isZip],
  ['application/gzip', isGzip],
  ['application/x-bzip2', isBzip2],
  ['application/x-xz', isXz],
  ['application/x-7z-compressed', is7z],
  ['application/zstd', isZstd],
  ['application/x-tar', isTar],
  ['application/pdf', isPdf],
  ['application/x-ole-storage', isOle],
  ['application/x-elf', isElf],
  ['application/vnd.microsoft.portable-executable', isPe],
  ['application/x-mach-binary', isMach],
  ['application/wasm', isWasm],
]

/**
 * Returns the media type of content by its bytes; null if they have no signature that is known. `size` is that of the
 * whole content, if the bytes are only its beginning: at least {@link HEAD_BYTES} of it.
 */
export function signatureOf(bytes: ReadonlyBytes, size = bytes.length): string | null {
  const found = CHECKS.find(([, check]) => check(bytes, size))?.[0]
  return found ?? oggType(bytes) ?? boxType(bytes, size)
}

/** How much of large content is looked at, in bytes. */
export const HEAD_BYTES = 8 * 1024
