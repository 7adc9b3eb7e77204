/** `delegate`: creates a link for a sub-agent, with a part of the caller's access. @module */

import { resolvePath } from '#core/path.ts'
import { quoteValue } from '#core/quote.ts'
import { readScope } from '#core/scope.ts'
import { ok } from '#core/result.ts'
import { APPROVAL_LEVELS } from '#core/approval.ts'
import * as z from 'zod/mini'
import { MAX_DELEGATION_SECONDS, MAX_GLOBS } from '../limits.ts'
import { path, wellFormed } from './lib/arguments.ts'
import { defineAct } from './lib/tool.ts'
import { MAX_DELEGATED_SCOPES } from '../sessions/limits.ts'
import { MAX_LABEL_LENGTH } from '../access/limits.ts'

const globs = z.optional(z.array(wellFormed).check(z.maxLength(MAX_GLOBS)))

/** What a model may put in a policy; `core/policy` parses it and reports what is invalid. */
const policy = z.strictObject({
  roots: z.optional(
    z
      .array(
        z.strictObject({
          path,
          blocked: z.optional(z.boolean()),
          allow: globs,
          deny: globs,
          immutable: globs,
          approval: z.optional(z.enum(APPROVAL_LEVELS)),
        }),
      )
      .check(z.maxLength(MAX_GLOBS)),
  ),
  read_only: z.optional(z.boolean()),
  approval: z.optional(z.enum(APPROVAL_LEVELS)),
})

const requested = {
  label: wellFormed.check(
    z.minLength(1),
    z.maxLength(MAX_LABEL_LENGTH),
    z.describe('Name of the other agent'),
  ),
  scopes: z.optional(z.array(wellFormed).check(z.minLength(1), z.maxLength(MAX_DELEGATED_SCOPES))),
  ttl_seconds: z._default(z.int().check(z.minimum(1), z.maximum(MAX_DELEGATION_SECONDS)), 3_600),
}

/** The arguments of a person, whose policy may contain more than that of a model. */
export const personRequest = z.strictObject({ ...requested, policy: z.optional(z.unknown()) })

/** Creates the link; its URL is in the result and is shown only once. */
export const delegate = defineAct({
  name: 'delegate',
  title: 'Delegate access',
  description:
    'Create a link to this workspace for another agent, never with more access than your own. ' +
    'scopes such as read:file:/docs limit it, policy restricts it further (deny, allow and immutable ' +
    'globs for folders), and it ends after ttl_seconds or with your session.',
  intent:
    'Give {label} access [to {scopes|everything that its caller may use}] for {ttl_seconds|3600} seconds',
  inputTemplate:
    '- The link is for **{label}**.\n[- It permits only {scopes}.\n]' +
    '- It ends with your session at the latest.',
  outputTemplate: 'The link for **{label}**, until {expires_at}:\n\n```\n{url}\n```',
  approval: 'confirm',
  destructive: false,
  idempotent: false,
  openWorld: true,
  input: () => z.strictObject({ ...requested, policy: z.optional(policy) }),
  output: () =>
    z.object({
      url: z.string(),
      session: z.string(),
      label: z.string(),
      expires_at: z.string(),
    }),

  touches: () => [],
  concerns: ({ scopes = [], policy: { roots = [] } = {} }, base) => {
    const opened = scopes
      .map((text) => readScope(text))
      .flatMap((scope) => (scope.ok ? [scope.value.path] : []))
    const named = roots.map(({ path: text }) => resolvePath(text, base))
    const paths = [...opened, ...named.map((one) => (one.ok ? one.value : null))]
    return [...new Set(paths.filter((one) => one !== null))]
  },

  async act(request, _places, context) {
    const made = await context.delegate(request)
    if (!made.ok) return made
    const { url, session } = made.value
    const expires_at = new Date(session.expires ?? 0).toISOString()
    const note = `(for ${quoteValue(session.label)}, until ${expires_at}; shown once)`
    const text = `${url}\n${note}${isLimited(request) ? '' : `\n${UNLIMITED}`}`
    return ok({ text, structured: { url, session: session.id, label: session.label, expires_at } })
  },
})

/** Frameworks fill in null for what a model leaves out, so a model learns which limits arrived. */
const UNLIMITED =
  'Nothing of its own restricts this link: it has the access that you have. Give scopes or a policy to limit it.'

const isLimited = ({ scopes, policy = {} }: { scopes?: unknown; policy?: object | undefined }) =>
  scopes !== undefined || Object.keys(policy).length > 0
