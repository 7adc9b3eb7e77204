/** Translates errors of the SDK into problems for the user. */

import { ConnectionError, makeProblem, problemOf } from '#host/mcp/errors.ts'
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'

const http = (status: number, text = '') =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'x', { status, statusText: '', text })
const inside = (cause: unknown) =>
  new SdkError(SdkErrorCode.EraNegotiationFailed, 'x', {}, { cause })

it.each([
  ['no network', new TypeError('Failed to fetch'), { kind: 'unreachable' }],
  [
    'no network while negotiating',
    inside(new TypeError('Failed to fetch')),
    { kind: 'unreachable' },
  ],
  ['no time', new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'), { kind: 'timeout' }],
  ['cancelled', new SdkError(SdkErrorCode.RequestTimeout, 'AbortError: gone'), { kind: 'aborted' }],
  ['cancelled by the platform', new DOMException('gone', 'AbortError'), { kind: 'aborted' }],
  ['closed', new SdkError(SdkErrorCode.ConnectionClosed, 'x'), { kind: 'closed' }],
  [
    'no MCP',
    new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, 'text/html'),
    { kind: 'not-mcp' },
  ],
  ['no JSON', new SyntaxError('Unexpected token'), { kind: 'not-mcp' }],
  ['not signed in', new UnauthorizedError(), { kind: 'unauthorized' }],
  ['401', http(401), { kind: 'unauthorized', status: 401 }],
  [
    '403',
    http(403, '{"message":"Not you."}'),
    { kind: 'forbidden', message: 'The server refused the request: Not you.' },
  ],
  ['404', http(404, '<html>no</html>'), { kind: 'not-found', message: 'Not found.' }],
  [
    '404 with a sentence of the server',
    http(404, '{"message":"Not found: /other."}'),
    { kind: 'not-found', message: 'Not found: /other.' },
  ],
  ['405', http(405), { kind: 'not-mcp' }],
  [
    '400 with a JSON-RPC error',
    http(400, '{"error":{"code":-32000,"message":"No session"}}'),
    { kind: 'protocol', status: 400, code: -32000 },
  ],
  [
    '500',
    http(500, 'broken'),
    { kind: 'server', message: 'The server failed (HTTP 500): broken.' },
  ],
  [
    '418',
    http(418, '{"error":{"message":"tea"}}'),
    { kind: 'protocol', message: 'The server returned HTTP 418: tea.' },
  ],
  [
    'an error of the protocol',
    new ProtocolError(-32602, 'bad', { a: 1 }),
    { kind: 'protocol', code: -32602, message: 'bad', data: { a: 1 } },
  ],
  [
    'too little scope',
    new InsufficientScopeError({ requiredScope: 'a b' }),
    { kind: 'forbidden', scopes: ['a', 'b'] },
  ],
  ['a ConnectionError', new ConnectionError(makeProblem('cors', 'x')), { kind: 'cors' }],
  ['something else', new Error('what'), { kind: 'unknown', message: 'what' }],
  ['no error at all', 'thrown', { kind: 'unknown', message: 'thrown' }],
])('%s', (_name, error, expected) => {
  expect(problemOf(error)).toMatchObject(expected)
})

it('gives advice', () => {
  expect(makeProblem('unreachable', 'x').advice).toMatch(/running/)
  expect(makeProblem('protocol', 'x').advice).toBe('')
})
