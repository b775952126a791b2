import fc from 'fast-check'
import { seed } from './seed.ts'

// Properties meet the same inputs in every run, as every test of random inputs does.
fc.configureGlobal({ seed })
