package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// patience is how long a browser may take for one step before a test fails.
const patience = 1 * time.Minute

// A tab is a page in the browser.
type tab struct {
	*testing.T
	ctx  context.Context
	mu   sync.Mutex
	bad  []string // messages of the console, and requests
	save string   // folder of downloads
}

// The tests share a browser, because starting one takes longer than most of them.
var (
	sharedBrowser context.Context
	stopBrowser   func()
)

// TestMain stops the browser.
func TestMain(m *testing.M) {
	code := m.Run()
	if stopBrowser != nil {
		stopBrowser()
	}
	os.Exit(code)
}

// startBrowser returns the context of the browser.
func startBrowser(t *testing.T, chromium string) context.Context {
	t.Helper()
	if sharedBrowser != nil {
		return sharedBrowser
	}
	data, err := os.MkdirTemp("", "octet-browser-")
	if err != nil {
		t.Fatal(err)
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(chromium), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		// The browser would load the pages of its address bar for each window, which nobody sees.
		chromedp.Flag("disable-features", "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"),
		chromedp.UserDataDir(data), chromedp.WSURLReadTimeout(patience),
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	stopBrowser = func() {
		cancel()
		stop()
		os.RemoveAll(data)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1400, 900)); err != nil {
		t.Fatal(err)
	}
	sharedBrowser = ctx
	return ctx
}

// open opens a page with data, or an empty one, in a new browser context, which has its own storage.
func open(t *testing.T, name string, data []byte) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	var b bytes.Buffer
	if err := Write(&b, name, data); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	p := visit(t, (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String())
	p.until(`document.documentElement.dataset.ready === "true"`)
	return p
}

// visit opens an address. The page may make no requests besides those that start with it.
func visit(t *testing.T, address string) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: starts a browser")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		if chromium, err = exec.LookPath("google-chrome"); err != nil {
			t.Skip("skipped: chromium is not installed")
		}
	}
	ctx, cancel := chromedp.NewContext(startBrowser(t, chromium), chromedp.WithNewBrowserContext())
	p := &tab{T: t, ctx: ctx, save: t.TempDir()}
	p.run(chromedp.EmulateViewport(1400, 900), chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
			Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: p.save,
			BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
		})
		return err
	}))
	messages, requests := chromedp.Console(ctx), chromedp.Events(ctx, network.RequestWillBeSent)
	var wait sync.WaitGroup
	wait.Go(func() {
		for m, err := range messages {
			if err == nil {
				p.blame("console: " + m.String())
			}
		}
	})
	wait.Go(func() {
		for e, err := range requests {
			if err == nil {
				p.request(e.Request.URL, address)
			}
		}
	})
	t.Cleanup(func() {
		cancel()
		wait.Wait()
		for _, text := range p.bad {
			t.Errorf("the page caused %s", text)
		}
	})
	p.run(chromedp.Navigate(address))
	return p
}

// blame records what a page must not do.
func (p *tab) blame(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bad = append(p.bad, text)
}

// request records a request, unless it is for the page or for something inside it.
func (p *tab) request(url, address string) {
	if url, _, _ = strings.Cut(url, "#"); !strings.HasPrefix(url, address) && url != "about:srcdoc" && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:") {
		p.blame("request: " + url)
	}
}

func (p *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.Fatal(err)
	}
}

// js evaluates an expression and waits for it if it is a promise. The result is a
// string, or JSON.
func (p *tab) js(expression string) string {
	p.Helper()
	raw, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// until waits for an expression to be true.
func (p *tab) until(expression string) {
	p.Helper()
	p.wait(expression, patience/4)
}

// wait waits for an expression to be true, but not longer than a limit.
func (p *tab) wait(expression string, limit time.Duration) {
	p.Helper()
	for start := time.Now(); time.Since(start) < limit; time.Sleep(20 * time.Millisecond) {
		if p.js(`Boolean(`+expression+`)`) == "true" {
			return
		}
	}
	p.shoot("failed")
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Fatalf("not true in time: %s; status %q, %q", expression, p.js(`document.getElementById("status")?.textContent || ""`), p.bad)
}

// has waits for text in an element.
func (p *tab) has(selector, text string) {
	p.Helper()
	p.until(fmt.Sprintf("document.querySelector(%q).innerText.includes(%q)", selector, text))
}

// press presses keys; kb has the names of those without a character.
func (p *tab) press(keys ...string) {
	p.Helper()
	for _, key := range keys {
		p.run(chromedp.KeyEvent(key))
	}
}

// text returns the text of the first element.
func (p *tab) text(selector string) string {
	p.Helper()
	return p.js(fmt.Sprintf("document.querySelector(%q).innerText", selector))
}

// click clicks an element.
func (p *tab) click(selector string) {
	p.Helper()
	p.js(fmt.Sprintf("document.querySelector(%q).click()", selector))
}

// set types text into a field.
func (p *tab) set(selector, text string) {
	p.Helper()
	p.js(fmt.Sprintf("void (document.querySelector(%q).value = %q)", selector, text))
}

// shoot takes a picture if the environment names a folder for it.
func (p *tab) shoot(name string) {
	p.Helper()
	folder := os.Getenv("OCTET_SCREENSHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o666); err != nil {
		p.Fatal(err)
	}
}

// look chooses light or dark colors and the size of the window.
func (p *tab) look(scheme string, width, height int64) {
	p.Helper()
	p.run(chromedp.EmulateViewport(width, height), chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	}))
}
