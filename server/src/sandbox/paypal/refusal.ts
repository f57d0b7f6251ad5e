/** PayPal's names and messages by HTTP status. */
const KINDS = {
  400: ['INVALID_REQUEST', 'Request is not well-formed, syntactically incorrect, or violates schema.'],
  401: [
    'AUTHENTICATION_FAILURE',
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  ],
  403: ['NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.'],
  404: ['RESOURCE_NOT_FOUND', 'The specified resource does not exist.'],
  422: [
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  ],
  500: ['INTERNAL_SERVER_ERROR', 'An internal server error has occurred.'],
} as const;

/** A call that the sandbox refuses, in PayPal's form. */
export class Refusal extends Error {
  readonly status: keyof typeof KINDS;
  readonly body: object;

  constructor(
    status: keyof typeof KINDS,
    issue: string | null,
    more: { field?: string; value?: unknown; description?: string; redirect?: string } = {},
  ) {
    const [name, message] = KINDS[status];
    super(issue ?? name);
    this.status = status;
    const { field, value, description = `${issue}: see the reference of the API.`, redirect } = more;
    const where = field === undefined ? {} : { field, ...(value === undefined ? {} : { value }), location: 'body' };
    this.body = {
      name,
      message,
      ...(issue === null ? {} : { details: [{ ...where, issue, description }] }),
      links: [
        {
          href: `https://developer.paypal.com/api/rest/reference/orders/v2/errors/#${issue ?? name}`,
          rel: 'information_link',
          method: 'GET',
        },
        ...(redirect === undefined ? [] : [{ href: redirect, rel: 'redirect', method: 'GET' }]),
      ],
    };
  }
}
