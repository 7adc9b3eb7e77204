/** Refusals over plain HTTP: a code and a message as JSON. `test/worker/owner/serve.test.ts` has cases. @module */

import { codeOf, sentence, statusOf, type Problem } from './problem.ts'

/** Builds the HTTP response of a problem. */
export function problem(fault: Problem): Response {
  return refuse(statusOf(fault), codeOf(fault), sentence(fault))
}

/** Builds an error response with a code and a message. */
export function refuse(
  status: number,
  code: string,
  message: string,
  headers: HeadersInit = {},
): Response {
  return Response.json({ code, message }, { status, headers })
}

/** Builds the 405 of a method that is not allowed. */
export function notAllowed(allow: string): Response {
  return refuse(405, 'METHOD_NOT_ALLOWED', `Method not allowed. Use ${allow}.`, { allow })
}
