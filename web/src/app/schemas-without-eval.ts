import { z } from 'zod'

// Schemas would otherwise try `new Function`, which the page's content security policy reports as a violation.
z.config({ jitless: true })
