import { htmlLangOf, type Language } from '@framelift/contract';

/** Keeps one formatter a language: making it takes far longer than formatting, and a wall formats thousands of times. */
function kept<F>(make: (locale: string) => F): (language: Language) => F {
  const made = new Map<Language, F>();
  return (language) => {
    const format = made.get(language) ?? make(htmlLangOf(language));
    made.set(language, format);
    return format;
  };
}
const days = kept((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const months = kept((locale) => new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long' }));
const numbers = kept((locale) => new Intl.NumberFormat(locale));

/** Formats date and time in the user's time zone. */
export function formatDateTime(time: string | Date, language: Language): string {
  return new Intl.DateTimeFormat(htmlLangOf(language), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(time),
  );
}

/** Formats a time as `YYYY-MM-DD HH:mm`, in the user's time zone. */
export function formatTimestamp(time: string): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Formats a time of today without its date. */
export function formatMoment(time: string, now: Date, language: Language): string {
  const date = new Date(time);
  if (date.toDateString() !== now.toDateString()) return formatDateTime(date, language);
  return new Intl.DateTimeFormat(htmlLangOf(language), { timeStyle: 'short' }).format(date);
}

export function formatDate(time: string | Date, language: Language): string {
  return days(language).format(new Date(time));
}

/** Formats the month of a time in the user's time zone. */
export function formatMonth(time: string | Date, language: Language): string {
  return months(language).format(new Date(time));
}

export function formatNumber(value: number, language: Language): string {
  return numbers(language).format(value);
}

/** Formats a change: `+5`, `−3`. */
export function formatSigned(value: number, language: Language): string {
  return new Intl.NumberFormat(htmlLangOf(language), { signDisplay: 'always' }).format(value).replace('-', '−');
}

/** Formats several things as one enumeration: `3 points and 1 free point`. */
export function formatList(items: readonly string[], language: Language): string {
  return new Intl.ListFormat(htmlLangOf(language), { type: 'conjunction' }).format(items);
}

/** `fraction` is 0 … 1. */
export function formatPercent(fraction: number, language: Language): string {
  return new Intl.NumberFormat(htmlLangOf(language), { style: 'percent', maximumFractionDigits: 0 }).format(fraction);
}

/** Formats a number of bytes in steps of 1024, as the upload limit counts: `1.5 MB`. */
export function formatBytes(bytes: number, language: Language): string {
  const megabytes = bytes / 1024 / 1024;
  const [value, unit] =
    megabytes >= 1024
      ? [megabytes / 1024, 'gigabyte']
      : megabytes >= 0.1
        ? [megabytes, 'megabyte']
        : [bytes / 1024, 'kilobyte'];
  return new Intl.NumberFormat(htmlLangOf(language), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

/** Formats seconds as `45 sec` or `3 min`, rounded up so that the actual wait is never longer. */
export function formatSeconds(seconds: number, language: Language): string {
  const [value, unit] = seconds < 60 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return formatUnit(value, language, { unit, unitDisplay: 'short' });
}

/** Formats a whole number of seconds, minutes, hours or days: `15 minutes`. */
export function formatDuration(seconds: number, language: Language): string {
  const [unit, length] =
    seconds % 86_400 === 0
      ? (['day', 86_400] as const)
      : seconds % 3600 === 0
        ? (['hour', 3600] as const)
        : seconds % 60 === 0
          ? (['minute', 60] as const)
          : (['second', 1] as const);
  return formatUnit(seconds / length, language, { unit, unitDisplay: 'long' });
}

function formatUnit(value: number, language: Language, options: Intl.NumberFormatOptions): string {
  const text = new Intl.NumberFormat(htmlLangOf(language), { style: 'unit', ...options }).format(value);
  return spacedAs(language, text);
}

/** Omits the space between a number and a word in Japanese: `4秒`, but `4 MB`. */
export function spacedAs(language: Language, text: string): string {
  return language === 'ja' ? text.replace(/ (?=\p{Script=Han})/u, '') : text;
}
