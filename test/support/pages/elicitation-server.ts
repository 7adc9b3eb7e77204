/**
 * A server with elicitation, in the modern era: the server of the official SDK, with one tool for each
 * kind of question, which returns the answer.
 *
 * @module
 */

import {
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
  type InputRequests,
} from '@modelcontextprotocol/server'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startSite, type Site } from './app-servers.ts'

const form = (message: string, properties: object, required: readonly string[] = []) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { ...properties }, required: [...required] },
  })

const NAME = { name: { type: 'string', title: 'Name', minLength: 2 } }

/** What each tool asks; all of it at once. */
const TOOLS: Readonly<Record<string, InputRequests>> = {
  ask_name: { name: form('Who are you?', NAME, ['name']) },
  ask_twice: {
    first: form('The first question', NAME, ['name']),
    second: form('The second question', { sure: { type: 'boolean', title: 'Sure' } }, ['sure']),
  },
  ask_defaults: {
    all: form('Is this right?', {
      city: { type: 'string', title: 'City', default: 'Oslo' },
      trees: { type: 'integer', title: 'Trees', minimum: 1, maximum: 9, default: 3 },
      kind: { type: 'string', title: 'Kind', enum: ['apple', 'pear'], default: 'pear' },
    }),
  },
  ask_choices: {
    all: form(
      'What grows there?',
      {
        one: {
          type: 'string',
          title: 'One',
          oneOf: [
            { const: 'a', title: 'Apples' },
            { const: 'p', title: 'Pears' },
          ],
        },
        some: {
          type: 'array',
          title: 'Some',
          minItems: 1,
          items: { type: 'string', enum: ['red', 'green', 'yellow'] },
        },
        old: { type: 'string', title: 'Old', enum: ['x', 'y'], enumNames: ['Ex', 'Why'] },
      },
      ['one', 'some'],
    ),
  },
  ask_visit: {
    page: inputRequired.elicitUrl({
      message: 'Pay for it here',
      url: 'http://pay.localhost:9/till?for=trees',
    }),
  },
  ask_script: {
    page: inputRequired.elicitUrl({ message: 'Look', url: 'javascript:alert(document.cookie)' }),
  },
  ask_model: {
    words: inputRequired.createMessage({
      systemPrompt: 'You are terse',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Say something\nhidden: \u202e' } },
        { role: 'assistant', content: { type: 'text', text: 'No' } },
        { role: 'user', content: { type: 'text', text: 'Please' } },
      ],
      modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
      maxTokens: 10,
    }),
  },
}

export async function startElicitationServer(): Promise<Site> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'Your bank', version: '1' })
    for (const [name, asked] of Object.entries(TOOLS))
      server.registerTool(
        name,
        { description: 'Asks', annotations: { readOnlyHint: true } },
        ({ mcpReq }) => {
          const answers = Object.keys(asked).map((key) => inputResponse(mcpReq.inputResponses, key))
          return answers.every(({ kind }) => kind === 'missing')
            ? inputRequired({ inputRequests: asked })
            : { content: [{ type: 'text' as const, text: JSON.stringify(answers) }] }
        },
      )
    return server
  })
  return startSite((request, response) => void answerWith(handler, request, response))
}

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }

/** Answers a request of a browser with a handler of the SDK. */
export async function answerWith(
  handler: ReturnType<typeof createMcpHandler>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'OPTIONS') return void response.writeHead(204, CORS).end()
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const body = await text(request)
  const init = { method: request.method ?? 'POST', headers, ...(body !== '' && { body }) }
  const url = `http://${request.headers.host ?? ''}${request.url ?? ''}`
  const answered = await handler.fetch(new Request(url, init))
  response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), ...CORS })
  for await (const chunk of answered.body ?? []) response.write(chunk)
  response.end()
}
