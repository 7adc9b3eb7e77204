/**
 * Images by their bytes: each format is checked up to the image itself, because programs that are given a header alone
 * fail. `test/worker/texts/signature.test.ts` has the cases.
 *
 * Every check goes forward through the bytes once, and copies none. `size` is that of the whole content: where it is
 * more than there are bytes, what follows is unknown and counts as right.
 *
 * @module
 */

import { hasBytes, readUint, readUintLe, type ReadonlyBytes } from '../encoding/bytes.ts'

/** Whether bytes, the beginning of `size` bytes, are of a format. */
export type Check = (bytes: ReadonlyBytes, size: number) => boolean

/** The bit depths of each colour type (PNG, section 11.2.1). */
const PNG_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/** PNG: a valid `IHDR`, then chunks up to `IEND` with one of image data among them. */
export const isPng: Check = (bytes, size) => {
  if (!hasBytes(bytes, 0, '\x89PNG\r\n\x1a\n\0\0\0\rIHDR')) return false
  const [depth, colour, compression, filter, interlace] = bytes.subarray(24, 29)
  if (readUint(bytes, 16, 4) === 0 || readUint(bytes, 20, 4) === 0) return false
  if (!PNG_DEPTHS[colour ?? -1]?.includes(depth ?? -1)) return false
  if (compression !== 0 || filter !== 0 || (interlace ?? 2) > 1) return false
  let hasData = false
  for (let at = 33; at < bytes.length;) {
    if (hasBytes(bytes, at + 4, 'IEND')) return hasData
    hasData ||= hasBytes(bytes, at + 4, 'IDAT')
    at += 12 + readUint(bytes, at, 4)
    if (at > size) return false
  }
  return bytes.length < size
}

/** Whether a marker of JPEG begins a frame, whose segment has the size of the image. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** JPEG: segments up to the first scan with a frame among them, and an end of image behind it. */
export const isJpeg: Check = (bytes, size) => {
  if (!hasBytes(bytes, 0, '\xff\xd8\xff')) return false
  let hasFrame = false
  for (let at = 2; at < bytes.length;) {
    // A shorter rest is a segment that has its end behind the bytes.
    if (at + 9 > bytes.length) break
    if (bytes[at] !== 0xff) return false
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) return false
    const length = readUint(bytes, at + 2, 2)
    if (length < 2 || at + 2 + length > size) return false
    if (marker === 0xda) return hasFrame && (bytes.length < size || hasEndOfImage(bytes, at))
    hasFrame ||= isFrame(marker) && readUint(bytes, at + 7, 2) > 0
    at += 2 + length
  }
  return bytes.length < size
}

/** Looks from the end, where it is but for what some cameras append. */
function hasEndOfImage(bytes: ReadonlyBytes, from: number): boolean {
  for (let at = bytes.length - 2; at > from; at--)
    if (bytes[at] === 0xff && bytes[at + 1] === 0xd9) return true
  return false
}

/** The bytes of a table of colours, by the flags that announce it. */
const coloursOf = (flags = 0) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

/** GIF: the screen, then blocks up to the end of the first image. */
export const isGif: Check = (bytes, size) => {
  if (!hasBytes(bytes, 0, 'GIF87a') && !hasBytes(bytes, 0, 'GIF89a')) return false
  if (readUintLe(bytes, 6, 2) === 0 || readUintLe(bytes, 8, 2) === 0) return false
  for (let at = 13 + coloursOf(bytes[10]); at < bytes.length;) {
    const block = bytes[at]
    if (block === 0x21) at = endOfBlocks(bytes, at + 2)
    else if (block !== 0x2c) return false
    else {
      const data = at + 11 + coloursOf(bytes[at + 9])
      return bytes.length < size || (endOfBlocks(bytes, data) <= size && bytes[data] !== 0)
    }
  }
  return bytes.length < size
}

/** Returns where the blocks of data end that begin at an offset: more than all bytes if they do not. */
function endOfBlocks(bytes: ReadonlyBytes, from: number): number {
  let at = from
  while (at < bytes.length) {
    const length = bytes[at] ?? 0
    at += 1 + length
    if (length === 0) return at
  }
  return at + 1
}

const WEBP_DATA: Readonly<Record<string, Check>> = {
  'VP8 ': (bytes) => hasBytes(bytes, 23, '\x9d\x01\x2a'),
  VP8L: (bytes) => bytes[20] === 0x2f,
  VP8X: (bytes, size) => readUintLe(bytes, 16, 4) === 10 && size > 38,
}

/** WebP: a RIFF container that is there as a whole, with image data or the extended header. */
export const isWebp: Check = (bytes, size) => {
  if (!hasBytes(bytes, 0, 'RIFF') || !hasBytes(bytes, 8, 'WEBP')) return false
  if (readUintLe(bytes, 4, 4) + 8 > size || readUintLe(bytes, 16, 4) + 20 > size) return false
  return Object.entries(WEBP_DATA).some(
    ([name, check]) => hasBytes(bytes, 12, name) && check(bytes, size),
  )
}

/** BMP: the sizes of its two headers, one plane, and pixels within the file. */
export const isBmp: Check = (bytes, size) =>
  hasBytes(bytes, 0, 'BM') &&
  readUintLe(bytes, 6, 4) === 0 &&
  readUintLe(bytes, 10, 4) < size &&
  [40, 52, 56, 64, 108, 124].includes(readUintLe(bytes, 14, 4)) &&
  readUintLe(bytes, 26, 2) === 1 &&
  [1, 4, 8, 16, 24, 32].includes(readUintLe(bytes, 28, 2))

/** ICO: a list of images, the first of which is within the file. */
export const isIco: Check = (bytes, size) => {
  const count = readUintLe(bytes, 4, 2)
  const [length, offset] = [readUintLe(bytes, 14, 4), readUintLe(bytes, 18, 4)]
  const isWithin = offset >= 6 + 16 * count && length > 0 && offset + length <= size
  return hasBytes(bytes, 0, '\0\0\x01\0') && count > 0 && bytes[9] === 0 && isWithin
}
