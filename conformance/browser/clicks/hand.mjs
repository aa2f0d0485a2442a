// A hand on the mouse that counts its clicks.
//
// A click is a press of the button: to choose from a list is two (open, choose), a sentence to be
// agreed with one more. To write is free, but a field that has not the focus is clicked first. Keys
// other than those that write are not used: both pages are counted as they are for the mouse.

export class Hand {
  clicks = 0;

  constructor(page) {
    this.page = page;
    page.on('dialog', async (dialog) => {
      ++this.clicks;
      await dialog.accept();
    });
  }

  /** `options`: of Playwright's click(). */
  async click(target, options = {}) {
    await target.click(options);
    ++this.clicks;
  }

  async choose(target, option) {
    await target.selectOption(option);
    this.clicks += 2;
  }

  async write(target, text) {
    const hasFocus = await target.evaluate((node) => node === document.activeElement);
    if (!hasFocus) await this.click(target);
    await target.fill(text);
  }
}
