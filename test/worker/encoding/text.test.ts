/** Text files: which bytes are text, and what decoding finds out about them. */

import { describe, expect, it } from 'vitest'
import { decodeText, isText } from '#worker/encoding/text.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('decodeText', () => {
  it('decodes text after bytes that are not', () => {
    expect(isText(new Uint8Array([0x61, 0xe2, 0x82]))).toBe(false)
    expect(isText(new Uint8Array([0xff]))).toBe(false)
    expect(decodeText(bytesOf('a€'))?.text).toBe('a€')
  })
})
