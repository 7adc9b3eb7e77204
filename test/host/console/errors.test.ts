/** Tool errors as the user reads them. */

import { describe, expect, it } from 'vitest'
import { parseCallResult } from '#host/mcp/parse.ts'
import { ToolError } from '#host/console/ui/errors.ts'

describe('a tool error', () => {
  const error = (text: string, code: unknown) => {
    const content = [{ type: 'text', text }]
    const _meta = { 'dev.edgewise/error': { code } }
    return new ToolError(parseCallResult({ isError: true, content, _meta }))
  }

  it('has its code beside the sentence, and not in it', () => {
    const { message, code } = error('There is no /a [FILE_NOT_FOUND]', 'FILE_NOT_FOUND')
    expect({ message, code }).toEqual({ message: 'There is no /a', code: 'FILE_NOT_FOUND' })
  })

  it.each([
    ['There is no /a [FILE_NOT_FOUND]', 'OTHER'],
    ['There is no /a [FILE_NOT_FOUND]', undefined],
    ['[FILE_NOT_FOUND] There is no /a', 'FILE_NOT_FOUND'],
  ])('keeps a prefix that is not its code: %s', (text, code) => {
    expect(error(text, code).message).toBe(text)
  })
})
