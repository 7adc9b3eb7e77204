/**
 * Defines `<webmcp-approvals>`, in which a visitor sees and ends the approvals that are remembered.
 *
 * What it shows is a module of its own (`remembered/`), loaded when the element is first connected, because
 * most pages have none. `test/pages/polyfill/approvals-element.slow.test.ts` covers it.
 *
 * @module
 */

import { REMEMBER_DAYS } from './gate.ts'
import { visitApprovals, type VisitApprovals } from './visit-approvals.ts'

/** Shows the approvals in an element. */
export interface ApprovalsModule {
  readonly showApprovals: (element: HTMLElement, visit: VisitApprovals, days: number) => void
}

const NAME = 'webmcp-approvals'

/**
 * Defines the element, unless the page has one of that name.
 *
 * @param load Loads the module that draws its content.
 * @param days The days for which an approval can be remembered.
 */
export function defineApprovals(load: () => Promise<ApprovalsModule>, days = REMEMBER_DAYS): void {
  if (customElements.get(NAME)) return
  const element = class extends HTMLElement {
    connectedCallback() {
      void load().then(
        ({ showApprovals }) => showApprovals(this, visitApprovals, days),
        console.warn,
      )
    }
  }
  customElements.define(NAME, element)
}
