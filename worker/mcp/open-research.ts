/**
 * The endpoint of the research profile, loaded when a client first uses it: the same callers, sessions and checks, with other
 * tools. It has no resources, so that `search` and `fetch` are all that there is.
 *
 * `test/worker/research/profile.test.ts` has the cases.
 *
 * @module
 */

import type { CallServices } from '../call/context.ts'
import { RESEARCH_TOOLS } from '../research/index.ts'
import { challengeOf } from './challenge.ts'
import { createDirect } from './direct.ts'
import { createEndpoint, type Endpoint, type EndpointParts } from './endpoint.ts'
import { RESEARCH_INSTRUCTIONS } from './profile.ts'
import { TOOLS_ALONE } from './server-info.ts'
import { createServer } from './server.ts'

const instructionsFor = () => RESEARCH_INSTRUCTIONS

/** Opens the endpoint beside that of all tools, with its parts. */
export function openResearch(parts: EndpointParts, services: CallServices): Endpoint {
  const own = { ...services, tools: RESEARCH_TOOLS }
  return createEndpoint({
    ...parts,
    instructionsFor,
    build: (sdk, of) => createServer(sdk, { services: own, ...of }),
    direct: createDirect(own, instructionsFor, TOOLS_ALONE),
    challenge: (message, caller) => challengeOf(message, caller, own),
  })
}
