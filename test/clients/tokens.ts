/**
 * What `tools/list` costs a model: `node tokens.ts <list.json>…`, or `node tokens.ts --dump <mcp url>`.
 *
 * A host puts name, description and input schema of each tool into the prompt, and nothing else; so that
 * is what is counted, with the tokenizer of the GPT-4o family.
 *
 * @module
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/model/gpt-4o'
import { readFileSync } from 'node:fs'
import { array } from './wire.ts'
import { member } from './handed.ts'

/** As a client lists them that shows no views. */
async function dump(url: string): Promise<string> {
  const options = { versionNegotiation: { mode: 'auto' } } as const
  const client = new Client({ name: 'tokens', version: '1' }, options)
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { tools } = await client.listTools()
  await client.close()
  return JSON.stringify({ tools })
}

function prompt(tool: unknown): string {
  const [name, description, parameters] = ['name', 'description', 'inputSchema'].map((key) =>
    member(tool, key),
  )
  return JSON.stringify({ name, description, parameters })
}

function report(file: string): void {
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const counts = array(member(list, 'tools')).map(
    (tool) => [String(member(tool, 'name')), countTokens(prompt(tool))] as const,
  )
  const sum = counts.reduce((total, [, tokens]) => total + tokens, 0)
  console.log(`${file}: ${sum} tokens in ${counts.length} tools`)
  for (const [name, tokens] of counts) console.log(`  ${name} ${tokens}`)
}

const [first = '', url = '', ...files] = process.argv.slice(2)
if (first === '--dump') console.log(await dump(url))
else for (const file of [first, url, ...files]) if (file !== '') report(file)
