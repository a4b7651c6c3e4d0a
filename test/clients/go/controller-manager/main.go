// kube-controller-manager's two controllers that delete Pods and taint Nodes which nobody looks after, beside a server
// that runs its Pods on Nodes of its own. Both are shown to be at work on a Pod and a Node that are really abandoned;
// nothing else on the server may be touched. They come as in a cluster: the manager with its own certificate reads and asks for tokens,
// and each controller writes with the token of its account and the rights of its default role.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"homeostat.dev/test/clients/steps"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/controller-manager/pkg/clientbuilder"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle"
	"k8s.io/kubernetes/pkg/controller/podgc"
)

const (
	abandoned = "abandoned"
	// Pods of a Node that is not there are deleted after this time; 40 s by default.
	quarantine = time.Second
	// A Node that never said that it is ready; 60 s by default.
	startupGrace = 2 * time.Second
	// A Node whose Lease was not renewed; 50 s by default. Homeostat renews every 10 s.
	silenceGrace = 25 * time.Second
	// The first may come at once; three more intervals outlast that grace.
	renewals = 4
)

var ctx = context.Background()
var client = kubernetes.NewForConfigOrDie(steps.Config())

func main() {
	createWorkloads()
	before := everything("kept")
	startControllers()
	createAbandoned()
	steps.Eventually(ctx, "collected", func() (bool, error) {
		_, err := client.CoreV1().Pods(steps.Namespace()).Get(ctx, abandoned, metav1.GetOptions{})
		return errors.IsNotFound(err), err
	})
	steps.Done("collected")
	steps.Eventually(ctx, "tainted", func() (bool, error) {
		node, err := client.CoreV1().Nodes().Get(ctx, abandoned, metav1.GetOptions{})
		return err == nil && len(node.Spec.Taints) > 0, err
	})
	steps.Check("tainted", client.CoreV1().Nodes().Delete(ctx, abandoned, metav1.DeleteOptions{}))
	steps.Done("tainted")

	awaitRenewals()
	after := everything("kept")
	for uid, what := range before {
		_, there := after[uid]
		steps.Expect("kept", there, "%s was deleted", what)
	}
	steps.Done("kept")
}

func createWorkloads() {
	labels := map[string]string{"app": "kept"}
	replicas := int32(2)
	_, err := client.AppsV1().Deployments(steps.Namespace()).Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "kept"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: template(labels, corev1.RestartPolicyAlways),
		},
	}, metav1.CreateOptions{})
	steps.Check("deployment", err)
	_, err = client.BatchV1().Jobs(steps.Namespace()).Create(ctx, &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: "kept"},
		Spec:       batchv1.JobSpec{Template: template(nil, corev1.RestartPolicyNever)},
	}, metav1.CreateOptions{})
	steps.Check("job", err)
	steps.Eventually(ctx, "ready", func() (bool, error) {
		deployment, err := client.AppsV1().Deployments(steps.Namespace()).Get(ctx, "kept", metav1.GetOptions{})
		if err != nil || deployment.Status.ReadyReplicas < replicas {
			return false, err
		}
		job, err := client.BatchV1().Jobs(steps.Namespace()).Get(ctx, "kept", metav1.GetOptions{})
		return err == nil && job.Status.Succeeded == 1, err
	})
}

func template(labels map[string]string, restart corev1.RestartPolicy) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: podSpec(restart)}
}

func podSpec(restart corev1.RestartPolicy) corev1.PodSpec {
	return corev1.PodSpec{RestartPolicy: restart, Containers: []corev1.Container{{Name: "main", Image: "busybox"}}}
}

func startControllers() {
	manager, err := clientcmd.BuildConfigFromFlags("", os.Getenv("MANAGER_KUBECONFIG"))
	steps.Check("controllers", err)
	own := kubernetes.NewForConfigOrDie(manager)
	accounts := clientbuilder.NewDynamicClientBuilder(rest.AnonymousClientConfig(manager), own.CoreV1(), metav1.NamespaceSystem)
	collecting, tainting := accounts.ClientOrDie("pod-garbage-collector"), accounts.ClientOrDie("node-controller")
	factory := informers.NewSharedInformerFactory(own, 0)
	pods, nodes := factory.Core().V1().Pods(), factory.Core().V1().Nodes()
	leases, daemonSets := factory.Coordination().V1().Leases(), factory.Apps().V1().DaemonSets()
	collector := podgc.NewPodGCInternal(ctx, collecting, pods, nodes, 12500, time.Second, quarantine)
	lifecycle, err := nodelifecycle.NewNodeLifecycleController(
		ctx, leases, pods, nodes, daemonSets, tainting, time.Second, startupGrace, silenceGrace, 100, 100, 50, 0.55,
	)
	steps.Check("controllers", err)
	steps.Expect("limits", limited(own), "the manager may write Pods")
	steps.Expect("limits", limited(collecting), "the collector may create Pods")
	steps.Done("limits")
	factory.Start(ctx.Done())
	go collector.Run(ctx)
	go lifecycle.Run(ctx)
}

// limited tells whether this identity is refused what its role does not have.
func limited(identity kubernetes.Interface) bool {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "forbidden"}, Spec: podSpec(corev1.RestartPolicyNever)}
	_, err := identity.CoreV1().Pods(steps.Namespace()).Create(ctx, pod, metav1.CreateOptions{})
	return errors.IsForbidden(err)
}

// createAbandoned makes what these controllers are there for: a Pod on no Node, and a Node without a Lease.
func createAbandoned() {
	spec := podSpec(corev1.RestartPolicyAlways)
	spec.NodeName = "nowhere"
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: abandoned}, Spec: spec}
	_, err := client.CoreV1().Pods(steps.Namespace()).Create(ctx, pod, metav1.CreateOptions{})
	steps.Check("abandoned pod", err)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: abandoned}}
	_, err = client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	steps.Check("abandoned node", err)
}

// awaitRenewals waits, by the server's own signs of life, until silence would have been punished. The Nodes are looked at
// all the time: the server puts right what was written on them.
func awaitRenewals() {
	seen := map[string]bool{}
	leases := client.CoordinationV1().Leases(corev1.NamespaceNodeLease)
	for len(seen) <= renewals {
		steps.Eventually(ctx, "lease", func() (bool, error) {
			healthyNodes("kept")
			lease, err := leases.Get(ctx, "homeostat", metav1.GetOptions{})
			if err != nil || lease.Spec.RenewTime == nil || seen[lease.Spec.RenewTime.String()] {
				return false, err
			}
			seen[lease.Spec.RenewTime.String()] = true
			return true, nil
		})
	}
}

// everything is all Pods, Jobs and Nodes of the server by uid.
func everything(step string) map[types.UID]string {
	all := map[types.UID]string{}
	add := func(kind string, object metav1.Object) {
		if object.GetDeletionTimestamp() == nil {
			all[object.GetUID()] = fmt.Sprintf("%s %s/%s", kind, object.GetNamespace(), object.GetName())
		}
	}
	pods, err := client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	steps.Check(step, err)
	for _, pod := range pods.Items {
		add("Pod", &pod)
	}
	jobs, err := client.BatchV1().Jobs("").List(ctx, metav1.ListOptions{})
	steps.Check(step, err)
	for _, job := range jobs.Items {
		add("Job", &job)
	}
	for _, node := range healthyNodes(step) {
		add("Node", &node)
	}
	return all
}

// healthyNodes ends the program when a Node is tainted or not ready.
func healthyNodes(step string) []corev1.Node {
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	steps.Check(step, err)
	for _, node := range nodes.Items {
		steps.Expect(step, len(node.Spec.Taints) == 0, "Node %s has taints: %v", node.Name, node.Spec.Taints)
		for _, condition := range node.Status.Conditions {
			ready := condition.Type != corev1.NodeReady || condition.Status == corev1.ConditionTrue
			steps.Expect(step, ready, "Node %s is not ready: %s", node.Name, condition.Message)
		}
	}
	return nodes.Items
}
