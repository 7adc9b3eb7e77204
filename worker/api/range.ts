/**
 * The `Range` header of RFC 9110, section 14: one range of bytes, or the whole.
 *
 * @module
 */

import type { ByteRange, FileEntry } from '../store/store.ts'

/**
 * Parses the range of a request; null for the whole file. Several ranges, and units other than bytes, are
 * answered with the whole file, as the RFC allows. Only a GET has a range.
 */
export function byteRange(
  { method, headers }: Request,
  file: FileEntry,
  tag: string,
): ByteRange | null | 'unsatisfiable' {
  if (method !== 'GET') return null
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '')
  const condition = headers.get('if-range')
  if (!match || (condition !== null && condition !== tag)) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null

  if (first === '') {
    const length = Math.min(Number(last), file.size)
    return length === 0 ? 'unsatisfiable' : { offset: file.size - length, length }
  }
  const offset = Number(first)
  const end = last === '' ? file.size - 1 : Math.min(Number(last), file.size - 1)
  if (last !== '' && Number(last) < offset) return null
  return offset >= file.size ? 'unsatisfiable' : { offset, length: end - offset + 1 }
}
