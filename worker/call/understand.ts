/**
 * What a request asks for, parsed: the tool, its arguments and the access of the request.
 *
 * `test/worker/call/metadata.laws.test.ts` has random metadata, `test/worker/mcp/bad-input.test.ts` wrong arguments.
 *
 * @module
 */

import { ok, type Result } from '#core/result.ts'
import type { Access } from '../access/access.ts'
import { refuse, type CallMetadata, type Refused } from '../access/metadata.ts'
import { accessOf } from '../access/from-metadata.ts'
import { quoteShort, type Problem } from '../errors/problem.ts'
import type { Tool } from '../tools/lib/tool.ts'
import type { CallRequest, CallServices } from './context.ts'

/** A parsed call: its tool, arguments and metadata, and the access of the request. */
export interface Understood {
  readonly tool: Tool
  /** The parsed arguments, in the tool's own type. */
  readonly input: unknown
  /** The arguments in the form of the schema, however they were sent. */
  readonly args: unknown
  readonly metadata: CallMetadata
  readonly access: Access
}

/** Finds the tool, computes access and parses the arguments. A problem of the arguments is a tool error. */
export function understand(
  { name, args, caller }: Omit<CallRequest, 'meta'>,
  metadata: CallMetadata,
  { tools }: Pick<CallServices, 'tools'>,
): Result<Result<Understood, Problem>, Refused> {
  const tool = tools.get(name)
  if (!tool) return unknownTool(name)
  const access = accessOf(caller, metadata)
  if (!access.ok) return access
  if (tool.app && !access.value.canRead(tool.app.folder)) return unknownTool(name)
  const parsed = tool.parse(args)
  if (!parsed.ok) return ok(parsed)
  return ok(ok({ tool, ...parsed.value, metadata, access: access.value }))
}

const unknownTool = (name: string) => refuse(`Unknown tool: ${quoteShort(name)}`)
