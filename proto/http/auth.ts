import { z } from 'zod'

const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'Please enter a valid email address')

const Name = z.string().trim().min(1).max(100)

/** `POST /api/auth/register`. */
export const RegisterBody = z.object({
  first_name: Name,
  last_name: Name,
  country: z.string().trim().min(1).max(60),
  username: z.string().trim().min(1).max(64),
  email: Email,
  password: z.string().min(8, 'Password must be at least 8 characters').max(256),
})
export type RegisterBody = z.infer<typeof RegisterBody>

/** `POST /api/auth/login`. */
export const LoginBody = z.object({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(256),
})
export type LoginBody = z.infer<typeof LoginBody>

/** `POST /api/auth/refresh`. */
export const RefreshBody = z.object({ refresh_token: z.string().min(1).max(256) })

/** What login and refresh answer; the access token is short-lived. */
export const TokenPair = z.object({ access_token: z.string(), refresh_token: z.string() })
export type TokenPair = z.infer<typeof TokenPair>

/** `GET /api/users/me`, and what register answers. */
export const UserView = z.object({
  id: z.uuid(),
  email: z.string(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  country: z.string(),
  created_at: z.iso.datetime(),
})
export type UserView = z.infer<typeof UserView>
