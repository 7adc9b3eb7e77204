/** Signatures: real files of each format have theirs, and what only begins like one has none. */

import { describe, expect, it } from 'vitest'
import { strictText } from '#worker/texts/text.ts'
import { HEAD_BYTES, signatureOf } from '#worker/texts/signature.ts'
import fc from '../../support/core/random.ts'
import {
  GIF,
  JPEG,
  JUNK,
  latin1,
  LFS_POINTER,
  NOT_FOUND_PAGE,
  PNG,
  PNG_STUB,
  utf8,
  WEBP,
} from '../../support/worker/media-samples.ts'

/** Joins texts of Latin-1, bytes, and zeros by their number. */
const join = (...parts: readonly (string | Uint8Array | number)[]) =>
  new Uint8Array(
    parts.flatMap((part) =>
      typeof part === 'number'
        ? Array.from({ length: part }, () => 0)
        : [...(typeof part === 'string' ? latin1(part) : part)],
    ),
  )

const wav = join(
  'RIFF',
  [0x2c, 0, 0, 0].map((n) => String.fromCharCode(n)).join(''),
  'WAVEfmt \x10\0\0\0',
  16,
  'data\x08\0\0\0',
  8,
)
/** A frame of MPEG-1 layer 3 at 128 kbit/s and 44.1 kHz has 417 bytes. */
const frame = join('\xff\xfb\x90\x00', 413)
const box = (brand: string) => join('\0\0\0\x10ftyp', brand, 4, '\0\0\0\x08mdat')
const tarOf = (sum: string) => join('a', 147, sum, 101, 'ustar\0', 249)

const SAMPLES: [string, Uint8Array][] = [
  ['image/png', PNG],
  ['image/gif', GIF],
  ['image/jpeg', JPEG],
  ['image/webp', WEBP.lossy],
  ['image/webp', WEBP.lossless],
  [
    'image/bmp',
    join('BM\x3a\0\0\0', 4, '\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0', 28),
  ],
  ['image/x-icon', join('\0\0\x01\0\x01\0\x01\x01\0\0\x01\0\x20\0\x08\0\0\0\x16\0\0\0', 8)],
  ['image/avif', box('avif')],
  ['audio/mp4', box('M4A ')],
  ['video/mp4', box('isom')],
  ['audio/wav', wav],
  ['audio/flac', join('fLaC\0\0\0\x22', 40)],
  ['audio/mpeg', join(frame, frame)],
  ['audio/mpeg', join('ID3\x03\0\0\0\0\0\x05', 5, frame)],
  ['audio/ogg', join('OggS\0\x02', 20, '\x01\x1eOpusHead', 11)],
  ['video/ogg', join('OggS\0\x02', 20, '\x01\x2a\x80theora', 35)],
  ['application/zip', join('PK\x05\x06', 18)],
  ['application/zip', join('PK\x03\x04\x14\0', 20, '\x01\0\0\0a', 80)],
  ['application/gzip', join('\x1f\x8b\x08', 5, '\0\x03+I\xad(\x01\0', 8)],
  ['application/zstd', join('(\xb5/\xfd\x20\x04!\0\0text')],
  ['application/x-bzip2', join('BZh9\x17rE8P\x90', 4)],
  ['application/x-xz', join('\xfd7zXZ\0\0\x04', 24)],
  ['application/x-7z-compressed', join("7z\xbc\xaf'\x1c\0\x04", 24)],
  ['application/x-tar', tarOf('001620\0 ')],
  ['application/pdf', join('%PDF-1.7\n%\xff\xff\n', 20, '\n%%EOF\n')],
  ['application/x-ole-storage', join('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 1_528)],
  ['application/vnd.microsoft.portable-executable', join('MZ', 58, '\x40\0\0\0PE\0\0', 20)],
  ['application/x-mach-binary', join('\xcf\xfa\xed\xfe', 8, '\x02\0\0\0', 16)],
  ['application/x-elf', join('\x7fELF\x02\x01\x01', 57)],
  ['application/wasm', join('\0asm\x01\0\0\0')],
]

describe('signatureOf', () => {
  it.each(SAMPLES)('finds %s', (type, bytes) => {
    expect(signatureOf(bytes)).toBe(type)
  })

  it.each([
    ['nothing', new Uint8Array(0)],
    ['the beginning of a PNG', PNG_STUB],
    ['a PNG without its end', PNG.slice(0, -16)],
    ['a PNG without data', join(PNG.subarray(0, 33), '\0\0\0\0IEND\xaeB`\x82')],
    ['a PNG of no width', join(PNG.subarray(0, 16), 4, PNG.subarray(20))],
    ['a PNG of an unknown colour type', join(PNG.subarray(0, 25), '\x05', PNG.subarray(26))],
    ['a JPEG without its end', JPEG.slice(0, -2)],
    ['a JPEG without an image', join('\xff\xd8\xff\xd9')],
    ['a JPEG whose segment is larger than it', join('\xff\xd8\xff\xe0\xff\xff', 20)],
    ['a GIF without an image', join('GIF89a\x01\0\x01\0\0\0\0;')],
    ['a GIF without the end of its image', GIF.slice(0, -3)],
    ['a part of a WebP', WEBP.lossy.slice(0, -4)],
    ['a RIFF of something else', join('RIFF\x10\0\0\0ACONanih', 12)],
    ['a frame of MP3 alone', frame],
    ['a tar with another checksum', tarOf('001360\0 ')],
    ['a PDF without its end', join('%PDF-1.7\n', 4_000)],
    ['six bytes', JUNK],
    ['a text in UTF-16', join('\xff\xfeh\0i\0')],
    ['a text that names formats', utf8('GIF89a PNG RIFF PK ID3 BM %PDF-1.7')],
    ['a pointer of Git LFS', utf8(LFS_POINTER)],
    ['a page', utf8(NOT_FOUND_PAGE)],
  ])('finds none in %s', (_what, bytes) => {
    expect(signatureOf(bytes)).toBeNull()
  })

  it('finds the same in the beginning of a large file', () => {
    const exif = join('\xff\xe1\xea\x60', 59_998)
    const files = [
      join(PNG.subarray(0, 33), '\0\0\xea\x60tEXt', 60_004, PNG.subarray(33)),
      join('\xff\xd8', exif, JPEG.subarray(2)),
      join(GIF, 60_000),
    ]
    for (const file of files)
      for (const length of [HEAD_BYTES, HEAD_BYTES + 1, 59_000, 60_020, 60_050])
        expect(signatureOf(file.subarray(0, length), file.length)).toBe(signatureOf(file))
    expect(files.map((file) => signatureOf(file))).toEqual(['image/png', 'image/jpeg', 'image/gif'])
  })

  it('ends for any bytes, and never finds a type in text but that of a PDF', () => {
    const starts = fc.constantFrom(...SAMPLES.map(([, bytes]) => bytes.subarray(0, 64)))
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 200 }), fc.nat(64), (start, rest, cut) => {
        const bytes = join(start.subarray(0, cut), rest)
        const found = signatureOf(bytes)
        if (strictText(bytes) !== null) expect([null, 'application/pdf']).toContain(found)
      }),
      { numRuns: 2_000 },
    )
  })
})
