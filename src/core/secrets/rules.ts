/** Kinds of secret and how each is written. Every rule has an anchor, a text that stands in each such secret and hardly anywhere else. */

/**
 * `pattern` is sticky and starts where the anchor starts; its first group is the secret itself, where that is not the whole.
 * `before` and `after` name what may not touch it: `alnum` letters and digits, `word` also `-` and `_`, `base64` also `+` and `/`.
 */
export type SecretRule = {
  name: string;
  means: string;
  anchors: readonly string[];
  pattern: RegExp;
  before?: 'alnum' | 'word';
  after?: 'alnum' | 'word';
  /**
   * Where more letters follow than the kind has, it counts even so if nothing of this touches it before and it looks random:
   * that is how a token stands in a name that somebody has filled up. Without it, something longer is something else.
   */
  glued?: 'word' | 'base64';
  /** A last look at what matched; `context` is the text before the anchor. */
  isReal?: (secret: string, context: string) => boolean;
  /** What must come before a blank or a quote; saves a closer look. */
  needs?: string;
  /** How far the pattern may look, in characters. */
  reach?: number;
  /** Narrower lines are not joined for this rule: only a terminal of that many columns would have wrapped there. */
  columnsMin?: number;
  /** Gives way to another finding in the same place. */
  isGeneral?: boolean;
};

const key = '[A-Za-z0-9_-]';

/** A key with a telling prefix and a body of one length or more. */
function prefixed(options: { name: string; means: string; anchors: readonly string[]; body: string; before?: 'alnum' | 'word'; after?: 'alnum' | 'word'; glued?: 'word' | 'base64' }): SecretRule {
  const { anchors, body, ...rest } = options;
  return { ...rest, anchors, pattern: new RegExp(`(?:${anchors.map(escaped).join('|')})${body}`, 'y') };
}

/** Formats as their makers document them; sources in docs/decisions (secret scan). */
export const secretRules: readonly SecretRule[] = [
  prefixed({ name: 'anthropic-key', means: 'an Anthropic key', anchors: ['sk-ant-'], body: `${key}{20,}` }),
  prefixed({ name: 'openai-key', means: 'an OpenAI key', anchors: ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], body: `${key}{20,}` }),
  {
    name: 'openai-key',
    means: 'an OpenAI key or one of the same form',
    anchors: ['sk-'],
    pattern: /sk-(?!ant-|proj-|svcacct-|admin-)(?:[a-z]{2,10}-(?:v\d{1,2}-)?)?[A-Za-z0-9]{20,}/y,
    before: 'word',
    isReal: isMixed,
  },
  prefixed({ name: 'gh-token', means: 'a GitHub token', anchors: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], body: '[A-Za-z0-9]{36}', before: 'alnum', after: 'alnum', glued: 'word' }),
  prefixed({ name: 'gh-token', means: 'a GitHub token', anchors: ['github_pat_'], body: '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}' }),
  prefixed({ name: 'gitlab-token', means: 'a GitLab token', anchors: ['glpat-', 'gloas-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'glagent-'], body: `${key}{20,}`, before: 'alnum' }),
  prefixed({ name: 'aws-access-key', means: 'an AWS access key id', anchors: ['AKIA', 'ASIA'], body: '[A-Z0-9]{16}', before: 'alnum', after: 'alnum', glued: 'base64' }),
  {
    name: 'aws-secret-key',
    means: 'an AWS secret key',
    anchors: ['ecret', 'ECRET'],
    pattern: /ecret[_ .-]?(?:access[_ .-]?)?key[\s"'`:=>,()[\]{}]{0,10}([A-Za-z0-9/+]{40})/iy,
    after: 'alnum',
    isReal: (secret) => isMixed(secret) && /[A-Z]/.test(secret) && /[a-z]/.test(secret),
  },
  prefixed({ name: 'google-key', means: 'a Google API key', anchors: ['AIza'], body: `${key}{35}`, before: 'alnum', after: 'word', glued: 'base64' }),
  prefixed({ name: 'google-token', means: 'a Google sign-in secret', anchors: ['GOCSPX-', 'ya29.'], body: `${key}{28,}`, before: 'alnum' }),
  prefixed({ name: 'slack-token', means: 'a Slack token', anchors: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxe.xox', 'xapp-'], body: '[A-Za-z0-9-]{20,}', before: 'alnum' }),
  prefixed({ name: 'slack-webhook', means: 'a Slack webhook', anchors: ['hooks.slack.com/services/'], body: 'T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{18,}' }),
  prefixed({ name: 'npm-token', means: 'an npm token', anchors: ['npm_'], body: '[A-Za-z0-9]{36}', before: 'alnum', after: 'alnum', glued: 'word' }),
  prefixed({ name: 'pypi-token', means: 'a PyPI token', anchors: ['pypi-AgE'], body: `${key}{50,}` }),
  prefixed({ name: 'stripe-key', means: 'a Stripe key', anchors: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'], body: '[A-Za-z0-9]{16,}', before: 'alnum' }),
  prefixed({ name: 'stripe-webhook', means: 'a Stripe webhook secret', anchors: ['whsec_'], body: '[A-Za-z0-9+/]{24,}', before: 'alnum' }),
  prefixed({ name: 'sendgrid-key', means: 'a SendGrid key', anchors: ['SG.'], body: `${key}{22}\\.${key}{43}`, before: 'word', after: 'word', glued: 'word' }),
  prefixed({ name: 'huggingface-token', means: 'a Hugging Face token', anchors: ['hf_', 'api_org_'], body: '[A-Za-z0-9]{34}', before: 'word', after: 'alnum', glued: 'word' }),
  prefixed({ name: 'docker-token', means: 'a Docker token', anchors: ['dckr_pat_', 'dckr_oat_'], body: `${key}{20,}` }),
  prefixed({ name: 'digitalocean-token', means: 'a DigitalOcean token', anchors: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: '[a-f0-9]{64}' }),
  prefixed({ name: 'shopify-token', means: 'a Shopify token', anchors: ['shpat_', 'shpss_', 'shpca_', 'shppa_'], body: '[a-fA-F0-9]{32}' }),
  prefixed({ name: 'provider-key', means: 'a key of a model provider', anchors: ['gsk_', 'xai-', 'pplx-'], body: '[A-Za-z0-9]{40,}', before: 'word' }),
  prefixed({ name: 'age-key', means: 'an age key', anchors: ['AGE-SECRET-KEY-1'], body: '[A-Z0-9]{50,}' }),
  prefixed({ name: 'vault-token', means: 'a Vault token', anchors: ['hvs.', 'hvb.'], body: `${key}{60,}`, before: 'word' }),
  prefixed({ name: 'azure-key', means: 'an Azure account key', anchors: ['AccountKey='], body: '[A-Za-z0-9+/]{80,}' }),
  {
    name: 'private-key',
    means: 'a private key',
    anchors: ['-----BEGIN'],
    // What may stand between header and key: quotes, line marks of a diff, the old header lines.
    pattern: /-----BEGIN[ +](?:[A-Z0-9]{2,9}[ +]){0,3}PRIVATE[ +]KEY(?:[ +]BLOCK)?-----[^A-Za-z0-9/]{0,16}(?:(?:Proc-Type|DEK-Info|Version|Comment):[\w ,.:()/-]{1,80}?)?([A-Za-z0-9+/]{24,})/y,
    isReal: isMixed,
  },
  { name: 'jwt', means: 'a signed token (JWT)', anchors: ['eyJ'], reach: 2_048, pattern: /eyJ[\w-]{10,600}\.(?:eyJ[\w-]{10,}(?:\.[\w-]*)?|\.?[\w-]{16,}\.[\w-]{8,})/y, before: 'alnum' },
  {
    name: 'http-token',
    means: 'a token for HTTP',
    anchors: ['earer', 'EARER'],
    pattern: /earer[\s+]{1,3}([A-Za-z0-9._~+/=-]{20,})/iy,
    isReal: (secret) => isMixed(secret) && /[A-Za-z0-9]{12}/.test(secret),
    isGeneral: true,
  },
  { name: 'basic-auth', means: 'a name and password for HTTP', anchors: ['asic ', 'ASIC ', 'asic+'], pattern: /asic[ +]([A-Za-z0-9+/]{8,}={0,2})/iy, isReal: isNameAndPassword, isGeneral: true },
  {
    name: 'url-password',
    means: 'a password in a URL',
    anchors: ['://'],
    pattern: /:\/\/[^\s/:@"'`<>?#[\]\\|]{0,64}:(?!\d{0,5}[/?#])([^\s@"'`<>\\|]{1,200})@(?=[\w[.-])/y,
    isReal: (secret, context) => /[a-z][a-z0-9+.-]*$/i.test(context) && isPassword(secret),
    columnsMin: 60,
    needs: '@',
    isGeneral: true,
  },
];

/** Where something begins that stands in a manual in place of a key; -1 without. AWS's own examples end in EXAMPLE. */
export function placeholderAt(secret: string): number {
  return secret.search(/example|placeholder|dummy|redacted|change_?me|your[-_]|x{8}|\*{4}|0{12}|\$\{|\{\{|<[a-z]/i);
}

/** Words and hashes have no digit or, behind a prefix, no capital. So have one GitHub token in five hundred and one AWS id in thirty. */
export function looksRandom(secret: string): boolean {
  return /\d/.test(secret) && /[A-Z]/.test(secret.slice(4));
}

function isMixed(secret: string): boolean {
  return /\d/.test(secret) && /[A-Za-z]/.test(secret);
}

function isNameAndPassword(secret: string): boolean {
  const text = Buffer.from(secret, 'base64').toString('latin1');
  const password = /^[\x20-\x39\x3b-\x7e]{0,64}:([\x20-\x7e]+)$/.exec(text)?.[1];
  return password !== undefined && isPassword(password);
}

function isPassword(text: string): boolean {
  if (/^(?:password|passwd|passwort|pass|pwd|pw|secret|token|key|user|x+|\*+|\.+|…|%\w)$/i.test(text)) return false;
  // A password with a slash in it was escaped; without a digit it is more likely a place in a program.
  return !/[{}$()]/.test(text) && (!/[/?#]/.test(text) || isMixed(text));
}

function escaped(text: string): string {
  return text.replace(/[.+*?^$()[\]{}|\\/-]/g, '\\$&');
}
