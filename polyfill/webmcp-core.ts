/**
 * `webmcp-core.js`: applies the polyfill where the page has no model context of its own.
 *
 * Its options are attributes of its script element: `<script src="webmcp-core.js"
 * data-results="spec">`.
 *
 * @module
 */

import { apply } from './core.ts'

const results = document.currentScript?.dataset['results']

apply(results === 'spec' ? { results } : {})
