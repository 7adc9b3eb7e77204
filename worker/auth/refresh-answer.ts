/**
 * The answer to a code or a refresh token, as the client gets it: with the mark of the next refresh token, and the
 * same for each repeat of a refresh token, see `single-use.ts`. `test/platform/auth/revocation.test.ts` tests it.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { openAnswer, sealAnswer } from './kept-answer.ts'
import { keepAnswer, type Accepted, type TokenEnv } from './oauth.ts'
import { withoutMark } from './refresh-token.ts'

/** Completes the response of the library to a token request. `token` is the refresh token; null for a code. */
export async function completeTokenResponse(
  response: Response,
  token: string | null,
  env: TokenEnv,
): Promise<Response> {
  const [use] = env.accepted
  if (!use) return response
  const key = token === null ? null : withoutMark(token)
  if (key !== null && use.answer !== null)
    return respond(response, aged(await openAnswer(use.answer, key), use.age))
  if (!response.ok) return response
  const text = marked(await response.text(), use.mark)
  return respond(response, key === null ? text : await firstAnswer(text, key, use, env))
}

/** Keeps an answer for repeats of its token. Returns the answer that is kept, by this request or by an earlier one. */
async function firstAnswer(
  text: string,
  key: string,
  { opens }: Accepted,
  env: TokenEnv,
): Promise<string> {
  return openAnswer(await keepAnswer(opens, env, await sealAnswer(text, key)), key)
}

/** Adds the mark to the refresh token of an answer. */
function marked(text: string, mark: string): string {
  const fields = recordOf(JSON.parse(text))
  const token = fields['refresh_token']
  const next = typeof token === 'string' ? { refresh_token: `${token}.${mark}` } : {}
  return JSON.stringify({ ...fields, ...next })
}

/** Takes the age (seconds) of an answer from the lifetime of its access token. */
function aged(text: string, age: number): string {
  const fields = recordOf(JSON.parse(text))
  return JSON.stringify({ ...fields, expires_in: Number(fields['expires_in']) - age })
}

const respond = ({ headers }: Response, text: string) => new Response(text, { headers })
