/**
 * Keeps the tools of a document in step with its forms.
 *
 * One MutationObserver per root (the document and open shadow roots) reports possible changes; one
 * task later every form is compared with its tool. Without mutations nothing runs.
 * `test/polyfill/forms.test.ts` covers it.
 *
 * @module
 */

import { checkDocument, type Context, type ToolDefinition } from '../model-context/context.ts'
import { toListing } from '../model-context/dictionaries.ts'
import { OWN_ORIGIN } from '../model-context/origin.ts'
import { addTool, checkName, removeTool } from '../model-context/register-tool.ts'
import { queueTask } from '../model-context/task.ts'
import { executeSteps } from './execute.ts'
import { FORM_TOOL } from './first-form.ts'
import { cancel, cancelUnanswered } from './invocations.ts'
import { schemaOf } from './schema.ts'

/** Attributes that affect a tool's definition. */
const ATTRIBUTES = [
  'toolname tooldescription tooltitle toolautosubmit toolparamdescription',
  'name type value min max step pattern multiple required disabled readonly',
  'form for id aria-description',
].flatMap((names) => names.split(' '))

/** The tool of a form. */
interface FormTool extends ToolDefinition {
  /** Whether a call submits the form; a change makes it another tool. */
  readonly isAutosubmit: boolean
}

/** Registers the forms of a document as tools, and follows their changes until `stop()`. */
export class FormTools {
  readonly #context: Context
  readonly #isGated: boolean
  /** Weak, because a page may drop elements with shadow roots by the thousand. */
  readonly #roots = new Set<WeakRef<Document | ShadowRoot>>()
  readonly #tools = new Map<HTMLFormElement, FormTool>()
  readonly #observer: MutationObserver
  #queued = false

  constructor(context: Context, isGated: boolean) {
    this.#context = context
    this.#isGated = isGated
    this.#observer = new MutationObserver(() => this.#queue())
  }

  /** Includes the forms of a root. */
  watch(root: Document | ShadowRoot): void {
    this.#roots.add(new WeakRef(root))
    this.#observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ATTRIBUTES,
    })
    this.#queue()
  }

  /** Removes all tools and stops observing. */
  stop(): void {
    this.#observer.disconnect()
    this.#roots.clear()
    for (const form of this.#tools.keys()) {
      cancel(form, ', since forms are tools no longer')
      this.#remove(form)
    }
  }

  #queue(): void {
    if (this.#queued) return
    this.#queued = true
    queueTask(() => {
      this.#queued = false
      this.#sync()
    })
  }

  #sync(): void {
    const forms = [...this.#roots].flatMap((root) => this.#formsOf(root))
    const fresh = new Map(forms.map((form) => [form, this.#definitionOf(form)]))
    for (const [form, tool] of this.#tools) if (!isSame(tool, fresh.get(form))) this.#remove(form)
    for (const [form, tool] of fresh) if (!this.#tools.has(form)) this.#add(form, tool)
  }

  #formsOf(ref: WeakRef<Document | ShadowRoot>): readonly HTMLFormElement[] {
    const root = ref.deref()
    if (!root) this.#roots.delete(ref)
    return root?.isConnected ? [...root.querySelectorAll<HTMLFormElement>(FORM_TOOL)] : []
  }

  #definitionOf(form: HTMLFormElement): FormTool {
    const text = (attribute: string) => form.getAttribute(attribute) ?? ''
    const name = text('toolname')
    const title = text('tooltitle')
    const tool = { name, title, description: text('tooldescription'), inputSchema: schemaOf(form) }
    return {
      id: crypto.randomUUID(),
      name,
      listing: toListing({ ...tool, annotations: undefined, outputSchema: undefined }, OWN_ORIGIN),
      exposedTo: [],
      execute: executeSteps(form, this.#isGated),
      isAutosubmit: form.hasAttribute('toolautosubmit'),
    }
  }

  /**
   * Registers a form. If the name is taken or invalid, the form is skipped until the next change.
   */
  #add(form: HTMLFormElement, tool: FormTool): void {
    try {
      const waits = checkDocument(this.#context)
      checkName(this.#context, tool.name)
      if (waits) return void waits.then(() => this.#queue())
    } catch {
      return
    }
    this.#tools.set(form, tool)
    void addTool(this.#context, tool)
  }

  #remove(form: HTMLFormElement): void {
    const tool = this.#tools.get(form)
    this.#tools.delete(form)
    cancelUnanswered(form, ', since tool definition was updated')
    if (tool) removeTool(this.#context, tool)
  }
}

const isSame = (a: FormTool, b: FormTool | undefined): boolean =>
  a.listing === b?.listing && a.isAutosubmit === b.isAutosubmit
