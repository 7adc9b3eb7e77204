/**
 * URL elicitation: asks the person to open a page, in the form of the client's era. The modern era has a result that
 * requires input, the legacy era an error.
 *
 * @module
 */

import {
  inputRequired,
  UrlElicitationRequiredError,
  type InputRequiredResult,
} from '@modelcontextprotocol/server'
import type { Elicitation } from '../access/metadata.ts'
import { ELICITATION_KEY } from '../call/waits.ts'

/** Builds the result of the modern era. A client that calls again is not asked twice: it only has to wait. */
export function requireInput({ url, message, state, isFirst }: Elicitation): InputRequiredResult {
  const asked = { [ELICITATION_KEY]: inputRequired.elicitUrl({ url, message }) }
  return inputRequired({
    ...(isFirst && { inputRequests: asked }),
    ...(state !== null && { requestState: state }),
  })
}

/** Builds the error of the legacy era. */
export function elicitationError({ id, url, message }: Elicitation): UrlElicitationRequiredError {
  return new UrlElicitationRequiredError(
    [{ mode: 'url', elicitationId: id, url, message }],
    message,
  )
}
