import { noticeFor } from './notice.ts';

const notice = noticeFor(navigator.languages);
document.documentElement.lang = notice.htmlLang;
const paragraph = document.getElementById('notice');
if (paragraph) paragraph.textContent = notice.text;
