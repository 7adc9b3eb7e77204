/**
 * A connection for tests of the console's pages: it has what a test gives it, and fails the test that uses anything else.
 *
 * @module
 */

import type { Connection } from '#host/mcp/connection.ts'

const unexpected = (what: string) => async (): Promise<never> => {
  throw new Error(`The test has no answer for ${what}`)
}

/** Returns an open connection of the modern era with these members. */
export function fakeConnection(given: Partial<Connection> = {}): Connection {
  return {
    url: `${location.origin}/mcp`,
    era: 'modern',
    protocolVersion: '2026-07-28',
    session: null,
    server: { name: 'edgewise', title: 'Edgewise', version: '1' },
    instructions: '',
    capabilities: {},
    configSchema: null,
    supportsPolicy: true,
    definition: {},
    state: { name: 'open' },
    tools: [],
    refreshTools: unexpected('the list of tools'),
    resources: unexpected('the list of resources'),
    resourceTemplates: unexpected('the list of templates'),
    readResource: unexpected('a resource'),
    prompts: unexpected('the list of prompts'),
    getPrompt: unexpected('a prompt'),
    call: unexpected('a call'),
    request: unexpected('a request'),
    subscribe: unexpected('a subscription'),
    on: () => () => {},
    reconnect() {},
    pause() {},
    resume: async () => false,
    close: async () => {},
    ...given,
  }
}
