/**
 * The checksums of an upload, computed while it passes, and compared with the one that the client names in `OC-Checksum`.
 *
 * The hashes are those that clients have, and no proof of who wrote a file; content is addressed by SHA-256.
 * `test/worker/dav/put.test.ts` has the cases.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { toHex } from '../encoding/bytes.ts'
import type { KnownSums } from './checksums.ts'

/** The hashes of one upload. */
export interface UploadHash {
  readonly add: (chunk: Uint8Array) => void
  readonly sums: () => KnownSums
  /** Whether the content has the checksum that was named; one of an unknown kind is passed over. */
  readonly isAsNamed: () => boolean
}

/** Begins to hash an upload. `named` is the header of the request. */
export function hashUpload(named: string | null): UploadHash {
  const [md5, sha1] = [createHash('md5'), createHash('sha1')]
  let made: KnownSums | null = null
  const sums = () => (made ??= { md5: toHex(md5.digest()), sha1: toHex(sha1.digest()) })
  return {
    add(chunk) {
      md5.update(chunk)
      sha1.update(chunk)
    },
    sums,
    isAsNamed() {
      const [, kind = '', value = ''] = /^(md5|sha1):([0-9a-f]+)$/i.exec(named?.trim() ?? '') ?? []
      if (kind === '') return true
      return sums()[kind.toLowerCase() === 'md5' ? 'md5' : 'sha1'] === value.toLowerCase()
    },
  }
}

/** Computes the checksums of a content. */
export function sumsOf(bytes: Uint8Array): KnownSums {
  const hash = hashUpload(null)
  hash.add(bytes)
  return hash.sums()
}
