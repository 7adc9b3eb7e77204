/** A page that has core with forms. @module */

import { apply } from '../../../../polyfill/core.ts'
import { formTools } from '../../../../polyfill/declarative.ts'

apply({ additions: [formTools()] })
