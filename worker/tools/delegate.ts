/** `delegate`: creates a link for a sub-agent, with a part of the caller's access. @module */

import { ok } from '#core/result.ts'
import * as z from 'zod'
import { MAX_DELEGATION_SECONDS, MAX_GLOBS } from '../limits.ts'
import { path, wellFormed } from './arguments.ts'
import { defineAct } from './tool.ts'

const globs = z.array(wellFormed).max(MAX_GLOBS).optional()

/** What a model may put in a policy; `core/policy` parses it and reports what is invalid. */
const policy = z.strictObject({
  roots: z
    .array(
      z.strictObject({
        path,
        blocked: z.boolean().optional(),
        allow: globs,
        deny: globs,
        immutable: globs,
      }),
    )
    .max(MAX_GLOBS)
    .optional(),
  read_only: z.boolean().optional(),
  approval: z.enum(['none', 'notify', 'review', 'confirm']).optional(),
})

const wish = {
  label: wellFormed.min(1).max(200).describe('Who it is for'),
  scopes: z.array(wellFormed).min(1).max(50).optional(),
  ttl_seconds: z.int().min(1).max(MAX_DELEGATION_SECONDS).default(3_600),
}

/** The arguments of a person, whose policy may contain more than that of a model. */
export const personsWish = z.strictObject({ ...wish, policy: z.unknown().optional() })

/** Creates the link; its URL is in the result and is shown only once. */
export const delegate = defineAct({
  name: 'delegate',
  title: 'Delegate',
  description:
    'Make a link to this workspace for somebody else, such as a sub-agent. It can never do more ' +
    'than you can. scopes such as read:file:/docs say what it may touch, policy narrows it further ' +
    '(deny, allow and immutable globs for folders), and it ends after ttl_seconds or with you.',
  intent: 'Hand a part of the workspace to {label} [with {scopes}] for {ttl_seconds|3600} seconds',
  attention: 'confirm',
  destructive: false,
  idempotent: false,
  input: z.strictObject({ ...wish, policy: policy.optional() }),
  output: z.object({
    url: z.string(),
    session: z.string(),
    label: z.string(),
    expires_at: z.string(),
  }),

  touches: () => [],

  async act(wish, _places, office) {
    const made = await office.delegate(wish)
    if (!made.ok) return made
    const { url, session } = made.value
    const expires_at = new Date(session.expires ?? 0).toISOString()
    const text = `${url}\n(for ${session.label}, until ${expires_at}; shown once)`
    return ok({ text, structured: { url, session: session.id, label: session.label, expires_at } })
  },
})
