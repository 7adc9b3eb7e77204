/**
 * Tools that follow the forms of a document: found, changed and removed as the page changes.
 *
 * One observer for each root (the document and open shadow roots) tells that something may have
 * changed; one task later every form is compared with its tool. Nothing runs while the page rests.
 *
 * @module
 */

import { checkDocument, type Context, type ToolDefinition } from '../model-context/context.ts'
import { toListing } from '../model-context/dictionaries.ts'
import { ownOrigin } from '../model-context/origin.ts'
import { addTool, checkName, removeTool } from '../model-context/register-tool.ts'
import { queueTask } from '../model-context/task.ts'
import { executeSteps, type Guard } from './execute.ts'
import { cancel } from './invocations.ts'
import { schemaOf } from './schema.ts'

const SELECTOR = 'form[toolname][tooldescription]'

/** Attributes that decide what a tool is. */
const ATTRIBUTES = [
  'toolname tooldescription tooltitle toolautosubmit toolparamdescription',
  'name type value min max step pattern multiple required disabled readonly',
  'form for id aria-description',
].flatMap((names) => names.split(' '))

export class FormTools {
  readonly #context: Context
  readonly #guard: Guard | undefined
  readonly #roots = new Set<Document | ShadowRoot>()
  readonly #tools = new Map<HTMLFormElement, ToolDefinition>()
  readonly #observer: MutationObserver
  #queued = false

  constructor(context: Context, guard: Guard | undefined) {
    this.#context = context
    this.#guard = guard
    this.#observer = new MutationObserver(() => this.#queue())
  }

  watch(root: Document | ShadowRoot): void {
    this.#roots.add(root)
    this.#observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ATTRIBUTES,
    })
    this.#queue()
  }

  stop(): void {
    this.#observer.disconnect()
    this.#roots.clear()
    for (const form of this.#tools.keys()) this.#remove(form)
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
    const forms = [...this.#roots].flatMap((root) =>
      root.isConnected ? [...root.querySelectorAll<HTMLFormElement>(SELECTOR)] : [],
    )
    const fresh = new Map(forms.map((form) => [form, this.#definitionOf(form)]))
    for (const [form, tool] of this.#tools)
      if (fresh.get(form)?.listing !== tool.listing) this.#remove(form)
    for (const [form, tool] of fresh) if (!this.#tools.has(form)) this.#add(form, tool)
  }

  #definitionOf(form: HTMLFormElement): ToolDefinition {
    const text = (attribute: string) => form.getAttribute(attribute) ?? ''
    const name = text('toolname')
    const title = text('tooltitle')
    const tool = { name, title, description: text('tooldescription'), inputSchema: schemaOf(form) }
    return {
      name,
      listing: toListing({ ...tool, annotations: undefined }, ownOrigin()),
      exposedTo: [],
      execute: executeSteps(name, form, this.#guard),
    }
  }

  /** A form whose name is taken or no name is left alone, until something changes. */
  #add(form: HTMLFormElement, tool: ToolDefinition): void {
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
    cancel(form, ', since tool definition was updated')
    if (tool) removeTool(this.#context, tool)
  }
}
