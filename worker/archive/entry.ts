/**
 * The entries of an archive, as the readers of all formats yield them to an import.
 *
 * @module
 */

import type { Part } from './bytes.ts'

/** A text of an archive; bytes when it is not UTF-8. */
export type ArchiveText = string | Uint8Array

/** One entry. Its fields are untrusted. */
export interface ArchiveEntry {
  readonly name: ArchiveText
  /** A file, a folder, a further name of the file that `link` names, or a description of another type. */
  readonly kind: 'file' | 'folder' | { readonly link: ArchiveText } | { readonly other: string }
  readonly size: number
  /** Milliseconds since 1970; any number is possible. */
  readonly mtime: number
  /** Whether its owner may execute it; undefined where the archive has no permissions, or has them at its end. */
  readonly executable: boolean | undefined
  /** The content; what is not read of it is skipped. */
  readonly content: Part
  /** Reads the entry to its end, and returns why the content that was read is not to be written, or null. */
  readonly damage?: () => Promise<string | null>
}

/** What the end of an archive says of an entry: its permission, or the type that keeps it from being written. */
export interface LateFacts {
  readonly executable?: boolean
  readonly other?: string
}

/** Shows a text in a report: each byte of one that is not UTF-8, unless it is ASCII, by its number. */
export const showText = (text: ArchiveText): string =>
  typeof text === 'string'
    ? text
    : Array.from(text, (byte) =>
        byte < 128 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`,
      ).join('')
