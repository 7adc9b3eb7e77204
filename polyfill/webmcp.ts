/**
 * `webmcp.js`: WebMCP with human approval of tool calls, applied when the script runs.
 *
 * It exports nothing. Its options are attributes of its script element: `data-mcp` and
 * `data-prefix` (a server whose tools are registered), `data-policy` and `data-user-policy`
 * (minimum approval levels), `data-remember-days`, `data-results`. Parts that not every page needs
 * are separate modules beside it, loaded on demand: `webmcp-forms.mjs` for forms where the browser
 * has no WebMCP, `webmcp-remote.mjs`. The dialog, `webmcp-dialog.mjs`, is loaded at once.
 *
 * @module
 */

import { askForForms, guardForms } from './annex/forms.ts'
import { createGuard, permission } from './annex/gate.ts'
import { applyAnnex } from './annex/index.ts'
import { isPolicy, type Policy } from './annex/policy.ts'
import { surface, useSurface } from './annex/surface.ts'
import { apply } from './core.ts'
import { discovery } from './devtools.ts'
import type { Context } from './model-context/context.ts'

const script = document.currentScript
const options: DOMStringMap = script instanceof HTMLScriptElement ? script.dataset : {}
const base = (script instanceof HTMLScriptElement && script.src) || location.href
const beside = (name: string) => new URL(`webmcp-${name}.mjs`, base).href

const dialog = (): Promise<typeof import('./annex/ui/index.ts')> => import(beside('dialog'))
const forms = (): Promise<typeof import('./declarative.ts')> => import(beside('forms'))
const remote = (): Promise<typeof import('./remote/connect.ts')> => import(beside('remote'))

const { mcp, prefix, policy, userPolicy, rememberDays, results } = options
const guard = createGuard({
  policy: toPolicy(policy),
  userPolicy: toPolicy(userPolicy),
  rememberDays: rememberDays === undefined ? undefined : Number(rememberDays),
})

useSurface(dialog)
void surface() // at once, before the page can add an import map that redirects it
apply({
  results: results === 'spec' ? 'spec' : 'chromium',
  additions: [formsWhenNeeded, discovery()],
})
applyAnnex(guard)
if (mcp !== undefined)
  void remote().then(({ connectPatiently }) => connectPatiently({ url: mcp, prefix }, permission))

/** Reads an approval level; an unknown value counts as the strictest one. */
function toPolicy(word: string | undefined): Policy | undefined {
  return word === undefined || isPolicy(word) ? word : 'confirm'
}

/** Turns forms into tools, once the document contains a form with `toolname`. */
function formsWhenNeeded(context: Context): () => void {
  const look = async () => {
    if (!Array.from(document.forms).some((form) => form.hasAttribute('toolname'))) return
    observer.disconnect()
    const { formTools } = await forms()
    formTools({ guard: askForForms(guard) })(context)
    guardForms(guard, context.target) // needs `agentInvoked`, which formTools() has just added
  }
  const observer = new MutationObserver(() => void look())
  observer.observe(document, { childList: true, subtree: true, attributeFilter: ['toolname'] })
  void look()
  return () => observer.disconnect()
}
