package types

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/octet-go/octet/bench/engine"
)

// A module is a public module whose types are measured. Its version is pinned. None is required by the module bench:
// the source is downloaded and read, and only the declarations of its types are used.
type module struct {
	name, path, version string
	packages            []string // folders in the module
}

var modules = []module{
	{"Github", "github.com/google/go-github/v66", "v66.0.0", []string{"github"}},
	{"Slack", "github.com/slack-go/slack", "v0.15.0", []string{"."}},
	{"Godo", "github.com/digitalocean/godo", "v1.128.0", []string{"."}},
	{"K8s", "k8s.io/api", "v0.31.2", []string{"core/v1", "apps/v1", "batch/v1", "networking/v1", "rbac/v1", "autoscaling/v2", "policy/v1", "storage/v1"}},
	{"Meta", "k8s.io/apimachinery", "v0.31.2", []string{"pkg/apis/meta/v1"}},
	{"Stripe", "github.com/stripe/stripe-go/v81", "v81.0.0", []string{"."}},
	{"Lambda", "github.com/aws/aws-sdk-go-v2/service/lambda", "v1.64.0", []string{"types"}},
	{"Dynamo", "github.com/aws/aws-sdk-go-v2/service/dynamodb", "v1.36.2", []string{"types"}},
	{"Docker", "github.com/moby/moby/api", "v1.52.0", []string{"types/container", "types/image", "types/network", "types/swarm", "types/system", "types/volume", "types/events", "types/registry"}},
	{"Prom", "github.com/prometheus/client_golang", "v1.20.5", []string{"api/prometheus/v1"}},
	{"Discord", "github.com/bwmarrin/discordgo", "v0.28.1", []string{"."}},
	{"Consul", "github.com/hashicorp/consul/api", "v1.30.0", []string{"."}},
	{"Openai", "github.com/sashabaranov/go-openai", "v1.35.6", []string{"."}},
	{"Gitlab", "github.com/xanzy/go-gitlab", "v0.113.0", []string{"."}},
	{"Oci", "github.com/opencontainers/runtime-spec", "v1.2.0", []string{"specs-go"}},
	{"Cloudflare", "github.com/cloudflare/cloudflare-go", "v0.110.0", []string{"."}},
}

// Real returns n struct types of public modules, chosen by seed, or all of them if there are fewer. The modules are
// downloaded unless they are in the module cache.
func Real(seed uint64, n int) (Set, error) {
	folders, err := download(modules)
	if err != nil {
		return Set{}, err
	}
	return read(modules, folders, seed, n)
}

// read returns the types of modules that are in the folders.
func read(modules []module, folders map[string]string, seed uint64, n int) (Set, error) {
	r := newReader(modules, folders)
	lists := make([][]string, len(modules))
	for i, m := range modules {
		for _, p := range m.packages {
			names, err := r.roots(strings.TrimSuffix(m.path+"/"+p, "/."))
			if err != nil {
				return Set{}, err
			}
			lists[i] = append(lists[i], names...)
		}
	}
	r.dropEmpty()
	found := 0
	for i := range lists {
		lists[i] = slices.DeleteFunc(lists[i], func(name string) bool {
			if len(r.structs[name].Fields) == 0 {
				r.leaveOut("a type without any field that can be declared")
				return true
			}
			return false
		})
		found += len(lists[i])
	}
	roots := choose(lists, seed, n)
	s := Set{Kind: "real", Seed: seed, Roots: roots, Types: r.reachable(roots)}
	for _, m := range modules {
		s.Modules = append(s.Modules, engine.Library{Name: m.name, Path: m.path, Version: m.version})
	}
	for _, why := range slices.Sorted(maps.Keys(r.reasons)) {
		s.LeftOut = append(s.LeftOut, engine.Reason{Why: why, Count: r.reasons[why]})
	}
	if more := found - len(roots); more > 0 {
		s.LeftOut = append(s.LeftOut, engine.Reason{Why: fmt.Sprintf("a type beyond the %d that the seed selects", n), Count: more})
	}
	return s, nil
}

// choose returns n of the names, as evenly from the lists as possible, so that no module decides. The same seed gives
// the same names.
func choose(lists [][]string, seed uint64, n int) (chosen []string) {
	r := rand.New(rand.NewPCG(seed, 2))
	for _, list := range lists {
		slices.Sort(list)
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	for i, more := 0, true; more; i++ {
		more = false
		for _, list := range lists {
			if i < len(list) && len(chosen) < n {
				chosen = append(chosen, list[i])
				more = true
			}
		}
	}
	slices.Sort(chosen)
	return chosen
}
