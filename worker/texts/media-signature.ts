/**
 * Sound and film by their bytes, and the images of the same container. `test/worker/texts/signature.test.ts` has the
 * cases.
 *
 * @module
 */

import { hasBytes, readUint, readUintLe, type ReadonlyBytes } from '../encoding/bytes.ts'
import type { Check } from './image-signature.ts'

/** WAV: a RIFF container whose first chunk is within the file. */
export const isWav: Check = (bytes, size) =>
  hasBytes(bytes, 0, 'RIFF') &&
  hasBytes(bytes, 8, 'WAVE') &&
  ['fmt ', 'JUNK', 'bext', 'LIST'].some((name) => hasBytes(bytes, 12, name)) &&
  readUintLe(bytes, 16, 4) + 20 <= size

/** FLAC: its first block of metadata is the one that describes the stream. */
export const isFlac: Check = (bytes, size) =>
  hasBytes(bytes, 0, 'fLaC') &&
  ((bytes[4] ?? 0xff) & 0x7f) === 0 &&
  readUint(bytes, 5, 3) === 34 &&
  size > 42

/** Kilobits per second of MP3, by the version of MPEG and the index in a frame. */
const BITRATES = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const

const SAMPLES = [44_100, 48_000, 32_000] as const

/** Returns the bytes of a frame of MP3; 0 if there is none at an offset. */
function frameLength(bytes: ReadonlyBytes, at: number): number {
  const [sync = 0, version = 0, rates = 0] = bytes.subarray(at, at + 3)
  // The bits of layer 3 are 01; those of a version are 3 for MPEG-1, 2 for MPEG-2, and 0 for 2.5.
  const [mpeg, layer] = [(version >> 3) & 3, (version >> 1) & 3]
  if (sync !== 0xff || version < 0xe0 || mpeg === 1 || layer !== 1) return 0
  const rate = BITRATES[mpeg === 3 ? 1 : 2][rates >> 4] ?? 0
  const samples = (SAMPLES[(rates >> 2) & 3] ?? 0) / (mpeg === 3 ? 1 : mpeg === 2 ? 2 : 4)
  if (rate === 0 || samples === 0) return 0
  return Math.floor(((mpeg === 3 ? 144_000 : 72_000) * rate) / samples) + ((rates >> 1) & 1)
}

/** MP3: two frames in a row, or a tag that is within the file. */
export const isMp3: Check = (bytes, size) => {
  if (hasBytes(bytes, 0, 'ID3')) {
    const isTag = [2, 3, 4].includes(bytes[3] ?? 0) && bytes[4] !== 0xff
    const length = bytes.subarray(6, 10)
    let bytesOfTag = 0
    for (const byte of length) bytesOfTag = byte < 0x80 ? bytesOfTag * 128 + byte : Infinity
    return isTag && length.length === 4 && bytesOfTag + 10 < size
  }
  const length = frameLength(bytes, 0)
  if (length === 0 || length >= size) return false
  return length >= bytes.length || frameLength(bytes, length) > 0
}

/** What the first packet of Ogg begins with. */
const OGG_PACKETS: readonly (readonly [type: string, start: string])[] = [
  ['audio/ogg', '\x01vorbis'],
  ['audio/ogg', 'OpusHead'],
  ['audio/ogg', '\x7fFLAC'],
  ['audio/ogg', 'Speex   '],
  ['video/ogg', '\x80theora'],
]

/** Returns the type of a stream of Ogg, which its first packet tells; null for other bytes. */
export function oggType(bytes: ReadonlyBytes): string | null {
  if (!hasBytes(bytes, 0, 'OggS\0\x02')) return null
  const packet = 27 + (bytes[26] ?? 0)
  return OGG_PACKETS.find(([, start]) => hasBytes(bytes, packet, start))?.[0] ?? null
}

/** The types of the brands of ISO base media files. */
const BRANDS: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  'M4A ': 'audio/mp4',
  'M4B ': 'audio/mp4',
  'qt  ': 'video/quicktime',
  isom: 'video/mp4',
  iso2: 'video/mp4',
  mp41: 'video/mp4',
  mp42: 'video/mp4',
  'M4V ': 'video/mp4',
}

/** Returns the type of an ISO base media file, if it has more than the box of its brand; null for other bytes. */
export function boxType(bytes: ReadonlyBytes, size: number): string | null {
  const length = readUint(bytes, 0, 4)
  if (!hasBytes(bytes, 4, 'ftyp') || length < 16 || length + 8 > size) return null
  const known = Object.entries(BRANDS).find(([brand]) => hasBytes(bytes, 8, brand))?.[1]
  // An AVIF image may have a general brand first and its own among the compatible ones.
  const isAvif = hasBytes(bytes, 8, 'mif1') && hasBytes(bytes, 16, 'avif')
  return known ?? (isAvif ? 'image/avif' : null)
}
