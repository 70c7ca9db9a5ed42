// The one place that talks to the server. A failure is an `ApiError` with a sentence for people.

export class ApiError extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response
  let message = `the server answered ${response.status}; reload the page, or start the studio again`
  try {
    const body = await response.json()
    if (typeof body.error === 'string') message = body.error
  } catch {
    // no JSON: the sentence above stands
  }
  throw new ApiError(message, response.status)
}

async function sent(path: string, init?: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init })
  } catch {
    throw new ApiError('the studio does not answer; is `linkshift studio` still running?', 0)
  }
  return checked(response)
}

export async function get<T>(path: string): Promise<T> {
  return (await sent(path)).json()
}

export async function getArray(path: string): Promise<{ data: ArrayBuffer; revision: number }> {
  const response = await sent(path)
  const revision = Number(response.headers.get('X-Revision') ?? 0)
  return { data: await response.arrayBuffer(), revision }
}

function json(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  return (await sent(path, json(body))).json()
}

export async function postForText(path: string, body: unknown): Promise<string> {
  return (await sent(path, json(body))).text()
}
