/**
 * Defines `<webmcp-approvals>`, in which a visitor sees and ends the approvals that are remembered.
 *
 * What it shows is a module of its own (`remembered/`), loaded when the element is first connected, because
 * most pages have none. `test/pages/polyfill/approvals-element.slow.test.ts` covers it.
 *
 * @module
 */

import { visitApprovals, type VisitApprovals } from './visit-approvals.ts'

/** Shows the approvals in an element. */
export interface ApprovalsModule {
  readonly showApprovals: (element: HTMLElement, visit: VisitApprovals) => void
}

const NAME = 'webmcp-approvals'

/**
 * Defines the element, unless the page has one of that name.
 *
 * @param load Loads the module that draws its content.
 */
export function defineApprovals(load: () => Promise<ApprovalsModule>): void {
  if (customElements.get(NAME)) return
  const element = class extends HTMLElement {
    connectedCallback() {
      void load().then(({ showApprovals }) => showApprovals(this, visitApprovals), console.warn)
    }
  }
  customElements.define(NAME, element)
}
