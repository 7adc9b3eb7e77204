/** `npm run config-schema`: prints the configuration schema, the same that the server publishes. */

import { CONFIG_SCHEMA } from '../core/config/schema.ts'

console.log(JSON.stringify(CONFIG_SCHEMA, null, 2))
