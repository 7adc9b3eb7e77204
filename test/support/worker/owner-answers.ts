/**
 * Holds what the Worker answers to the contract of the owner's acts, in every test that sends one: the answer has what its
 * decoder has, and nothing else.
 *
 * @module
 */

import { OWNER_ANSWERS } from '#core/owner/answers.ts'
import { expect } from 'vitest'
import { findAct } from '../core/find-act.ts'

/** Fails the test if a successful answer of an act is not as its contract says. */
export async function expectContract(
  path: string,
  { method = 'GET' }: RequestInit,
  response: Response,
): Promise<void> {
  const name = findAct(method, new URL(path, 'http://localhost').pathname)
  const type = response.headers.get('content-type') ?? ''
  if (name === null || !response.ok || !type.startsWith('application/json')) return
  const body: unknown = await response.clone().json()
  expect(OWNER_ANSWERS[name](body), `${name} answers ${JSON.stringify(body)}`).toEqual(body)
}
