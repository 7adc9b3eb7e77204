/**
 * `webmcp.js`: WebMCP with human approval of tool calls, applied when the script runs.
 *
 * It exports nothing. Its options are attributes of its script element: `data-mcp` and
 * `data-prefix` (a server whose tools are registered), `data-policy` and `data-user-policy`
 * (minimum approval levels), `data-sensitive` (that of sensitive tools), `data-remember-days`, `data-results`, and `data-devtools`. Parts that not every page needs
 * are separate modules beside it: `webmcp-forms.mjs`, loaded where a form is a tool and the browser has
 * no WebMCP, `webmcp-frames.mjs` for tools of other origins, `webmcp-remote.mjs`, and
 * `webmcp-approvals.mjs` for `<webmcp-approvals>`, and `webmcp-devtools.mjs`, the panel of `data-devtools`. The dialog, `webmcp-dialog.mjs`, is loaded at once.
 *
 * @module
 */

import { guardForms } from './approval/forms.ts'
import { createGuard, REMEMBER_DAYS, requirePermission } from './approval/gate.ts'
import { defineApprovals } from './approval/approvals-element.ts'
import { applyApproval } from './approval/index.ts'
import { setDialogLoader } from './approval/dialog-loader.ts'
import { apply } from './core.ts'
import { discovery } from './devtools.ts'
import { whenFormAppears } from './forms/first-form.ts'
import { defineSubmitMembers } from './forms/submit-members.ts'
import type { Context } from './model-context/context.ts'

const script = document.currentScript
const own: Partial<HTMLScriptElement> = script instanceof HTMLScriptElement ? script : {}

/** Returns the loader of a part, a module beside the script. */
const part =
  <T>(name: string) =>
  (): Promise<T> =>
    import(new URL(`webmcp-${name}.mjs`, own.src || location.href).href)

const forms = part<typeof import('./declarative.ts')>('forms')
const remote = part<typeof import('./remote/connect.ts')>('remote')

const {
  mcp,
  prefix,
  policy,
  userPolicy,
  sensitive,
  rememberDays: days,
  results,
  devtools,
} = own.dataset ?? {}
const rememberDays = Number(days ?? REMEMBER_DAYS)
const guard = createGuard({ policy, userPolicy, sensitive, rememberDays })

setDialogLoader(part('dialog'))
apply({
  results: results === 'spec' ? 'spec' : 'chromium',
  additions: [formsLater, discovery()],
})
applyApproval(guard, part('frames'))
defineApprovals(part('approvals'), rememberDays)
if (devtools !== undefined) void part('devtools')()
if (mcp !== undefined)
  void remote().then(({ connectWithRetries }) =>
    connectWithRetries({ url: mcp, prefix }, requirePermission),
  )

/** Turns forms into tools, when there is one; the members of `SubmitEvent` are there at once. */
function formsLater(context: Context): () => void {
  const load = () =>
    void forms().then(({ formTools }) => {
      formTools({ isGated: true })(context)
      guardForms(guard, context.target) // needs the `agentInvoked` that formTools() has just defined
    }, console.warn)
  const undos = [defineSubmitMembers(), whenFormAppears(document, load)]
  return () => undos.forEach((undo) => undo())
}
